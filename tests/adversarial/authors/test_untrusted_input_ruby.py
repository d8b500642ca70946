"""Untrusted input in Ruby that reaches a dangerous call, and the same code where it does not."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, FORGERY, LOADING, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

CASES: list[Case] = [
    ('a whole command', SHELL, 'class ShopController < ApplicationController\n  def f\n    system(params[:c])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    system("ls", params[:c])\n  end\nend\n'),
    ('an interpolated command', SHELL, 'class ShopController < ApplicationController\n  def f\n    name = params[:name]\n    system("ls #{name}")\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    name = params[:name].to_i\n    system("ls #{name}")\n  end\nend\n'),
    ('backquotes', SHELL, 'class ShopController < ApplicationController\n  def f\n    dir = params.require(:dir)\n    @out = `ls #{dir}`\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    dir = Shellwords.escape(params.require(:dir))\n    @out = `ls #{dir}`\n  end\nend\n'),
    ('a percent sign', SHELL, 'class ShopController < ApplicationController\n  def f\n    %x(ls #{params[:d]})\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    %w(ls)\n    params[:d]\n  end\nend\n'),
    ('Open3', SHELL, 'class ShopController < ApplicationController\n  def f\n    Open3.capture2("ls " + params[:d])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    Open3.capture2("ls", params[:d])\n  end\nend\n'),
    ('the words of a shell', SHELL, 'class ShopController < ApplicationController\n  def f\n    spawn("sh", "-c", params[:d])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    spawn("sh", "run.sh", params[:d])\n  end\nend\n'),
    ('a pipe', SHELL, 'class ShopController < ApplicationController\n  def f\n    IO.popen(["sh", "-c", "ls #{params[:d]}"])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    IO.popen(["ls", params[:d]])\n  end\nend\n'),
    ('an open that runs', SHELL, 'class ShopController < ApplicationController\n  def f\n    open(params[:url])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    File.exist?(params[:url])\n  end\nend\n'),
    ('Sinatra', SHELL, 'require "sinatra"\n\nget "/ls" do\n  system("ls #{params["d"]}")\nend\n', 'require "sinatra"\n\nget "/ls" do\n  system("ls", params["d"])\nend\n'),
    ('a class of Sinatra', SHELL, 'class Shop < Sinatra::Base\n  post "/ls" do\n    dir = request.params["d"]\n    exec "ls #{dir}"\n  end\nend\n', 'class Shop < Sinatra::Base\n  post "/ls" do\n    dir = request.params["d"]\n    exec "ls", dir\n  end\nend\n'),
    ('Rack', SHELL, 'require "rack"\n\nclass Shop\n  def call(env)\n    req = Rack::Request.new(env)\n    system("ls #{req.params["d"]}")\n  end\nend\n', 'require "rack"\n\nclass Shop\n  def call(env)\n    req = Rack::Request.new(env)\n    system("ls", req.params["d"])\n  end\nend\n'),
    ('the environment of Rack', SHELL, 'require "rack"\n\nclass Shop\n  def call(env)\n    system("ls " + env["QUERY_STRING"])\n  end\nend\n', 'require "rack"\n\nclass Shop\n  def call(env)\n    system("ls", env["QUERY_STRING"])\n  end\nend\n'),
    ('a whole query', QUERY, 'class ShopController < ApplicationController\n  def f\n    User.find_by_sql(params[:q])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    User.find_by_sql(["select ?", params[:q]])\n  end\nend\n'),
    ('an interpolated condition', QUERY, 'class ShopController < ApplicationController\n  def f\n    User.where("name = \'#{params[:n]}\'")\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    User.where("name = ?", params[:n])\n  end\nend\n'),
    ('a condition in a variable', QUERY, 'class ShopController < ApplicationController\n  def f\n    q = "name = \'%s\'" % params[:n]\n    User.where(q)\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    q = "id = %d" % params[:n]\n    User.where(q)\n  end\nend\n'),
    ('a connection', QUERY, 'class ShopController < ApplicationController\n  def f\n    ActiveRecord::Base.connection.execute("delete from t where id = " + params[:id])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    ActiveRecord::Base.connection.execute("delete from t where id = " + ActiveRecord::Base.connection.quote(params[:id]))\n  end\nend\n'),
    ('a text below', QUERY, "class ShopController < ApplicationController\n  def f\n    sql = <<~SQL\n      select * from t where n = '#{params[:n]}'\n    SQL\n    User.find_by_sql(sql)\n  end\nend\n", 'class ShopController < ApplicationController\n  def f\n    sql = <<~SQL\n      select * from t where n = ?\n    SQL\n    User.find_by_sql([sql, params[:n]])\n  end\nend\n'),
    ('a method called sanitize', QUERY, 'class ShopController < ApplicationController\n  def sanitize(x)\n    x\n  end\n  def f\n    User.where("name = \'#{sanitize(params[:n])}\'")\n  end\nend\n', 'class ShopController < ApplicationController\n  def sanitize(x)\n    x.gsub(/[^a-z]/, "")\n  end\n  def f\n    User.where("name = \'#{sanitize(params[:n])}\'")\n  end\nend\n'),
    ('an allow-list that decides nothing', QUERY, 'class ShopController < ApplicationController\n  COLUMNS = %w[a b].freeze\n  def f\n    o = params[:o]\n    COLUMNS.include?(o)\n    User.find_by_sql("select * from t order by #{o}")\n  end\nend\n', 'class ShopController < ApplicationController\n  COLUMNS = %w[a b].freeze\n  def f\n    o = params[:o]\n    return unless COLUMNS.include?(o)\n    User.find_by_sql("select * from t order by #{o}")\n  end\nend\n'),
    ('a form of one line', QUERY, 'class ShopController < ApplicationController\n  def f\n    o = params[:o]\n    return unless o.match?(/^\\w+$/)\n    User.find_by_sql("select * from t order by #{o}")\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    o = params[:o]\n    return unless o.match?(/\\A\\w+\\z/)\n    User.find_by_sql("select * from t order by #{o}")\n  end\nend\n'),
    ('a list that grows', QUERY, 'class ShopController < ApplicationController\n  def f\n    parts = ["select * from t where 1 = 1"]\n    parts << "and n = #{params[:n]}"\n    User.find_by_sql(parts.join(" "))\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    parts = ["select * from t where 1 = 1"]\n    parts << "and n = 2"\n    User.find_by_sql(parts.join(" "))\n    params[:n]\n  end\nend\n'),
    ('a helper', QUERY, 'class ShopController < ApplicationController\n  def run(sql)\n    User.connection.execute(sql)\n  end\n  def f\n    run("delete from t where id = #{params[:id]}")\n  end\nend\n', 'class ShopController < ApplicationController\n  def run(sql)\n    User.connection.execute(sql)\n  end\n  def f\n    run("delete from t where id = #{params[:id].to_i}")\n  end\nend\n'),
    ('a method that reads it', QUERY, 'class ShopController < ApplicationController\n  def term\n    params[:n].strip\n  end\n  def f\n    User.where("name = \'#{term}\'")\n  end\nend\n', 'class ShopController < ApplicationController\n  def term\n    Integer(params[:n])\n  end\n  def f\n    User.where("id = #{term}")\n  end\nend\n'),
    ('a block over members', QUERY, 'class ShopController < ApplicationController\n  def f\n    params[:ids].each { |id| User.connection.execute("delete from t where id = #{id}") }\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    params[:ids].map(&:to_i).each { |id| User.where(id: id).delete_all }\n  end\nend\n'),
    ('an instance variable', QUERY, 'class ShopController < ApplicationController\n  def run\n    User.find_by_sql("select * from t where n = \'#{@q}\'")\n  end\n  def f\n    @q = params[:q]\n    run\n  end\nend\n', 'class ShopController < ApplicationController\n  def run\n    User.find_by_sql("select * from t where n = #{@q}")\n  end\n  def f\n    @q = params[:q].to_i\n    run\n  end\nend\n'),
    ('columns', QUERY, 'class ShopController < ApplicationController\n  def f\n    User.select(params[:x])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    users.select { |u| u.id == params[:id].to_i }\n  end\nend\n'),
    ('columns of an older query', QUERY, 'class ShopController < ApplicationController\n  def f\n    User.find(:all, :select => params[:x])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    User.find(:all, :conditions => ["a = ?", params[:x]])\n  end\nend\n'),
    ('a text around a query', QUERY, 'class ShopController < ApplicationController\n  def f\n    User.find_by_sql("select * from (#{params[:q]}) t")\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    User.find_by_sql("select * from (#{User.where(id: params[:id]).to_sql}) t")\n  end\nend\n'),
    ('evaluated text', CODE, 'class ShopController < ApplicationController\n  def f\n    eval(params[:e])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    JSON.parse(params[:e])\n  end\nend\n'),
    ('a method by its name', CODE, 'class ShopController < ApplicationController\n  def f\n    User.new.send(params[:m])\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    User.new.send(:name)\n    params[:m]\n  end\nend\n'),
    ('a class by its name', CODE, 'class ShopController < ApplicationController\n  def f\n    params[:type].constantize.new\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    "User".constantize.new(params[:type])\n  end\nend\n'),
    ('an inline template', CODE, 'class ShopController < ApplicationController\n  def f\n    render inline: params[:t]\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    render inline: "<%= @t %>", locals: { t: params[:t] }\n  end\nend\n'),
    ('a template of ERB', CODE, 'class ShopController < ApplicationController\n  def f\n    ERB.new(params[:t]).result(binding)\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    ERB.new(File.read("a.erb")).result_with_hash(t: params[:t])\n  end\nend\n'),
    ('objects of any class', LOADING, 'class ShopController < ApplicationController\n  def f\n    Marshal.load(Base64.decode64(cookies[:profile]))\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    JSON.parse(Base64.decode64(cookies[:profile]))\n  end\nend\n'),
    ('YAML', LOADING, 'class ShopController < ApplicationController\n  def f\n    YAML.unsafe_load(request.body.read)\n  end\nend\n', 'class ShopController < ApplicationController\n  def f\n    YAML.safe_load(request.body.read)\n  end\nend\n'),
    ('a method by words that are joined', SHELL, 'require "sinatra"\nrequire "open-uri"\n\nget "/x" do\n  Kernel.public_send(%w[sy stem].join.to_sym, params[:h])\nend\n', 'require "sinatra"\nrequire "open-uri"\n\nget "/x" do\n  Prices.public_send(%w[sh ow].join.to_sym, params[:h])\nend\n'),
    ('an address that is opened', FORGERY, 'require "sinatra"\nrequire "open-uri"\n\nget "/x" do\n  URI.parse(params[:u]).open.read\nend\n', 'require "sinatra"\nrequire "open-uri"\n\nget "/x" do\n  URI.parse("https://shop.example/#{params[:u]}").open.read\nend\n'),
    ('an address made by a function', FORGERY, 'require "sinatra"\nrequire "open-uri"\n\nget "/x" do\n  URI(params[:u]).open.read\nend\n', 'require "sinatra"\nrequire "open-uri"\n\nget "/x" do\n  URI(params[:u]).host\nend\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "rb")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "rb")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_is_provably_harmless_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "rb")
