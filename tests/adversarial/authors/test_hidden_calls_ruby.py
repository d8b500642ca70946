"""Dangerous calls in Ruby that hide behind `send`, method objects and blocks."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, LOADING, QUERY, SHELL, TLS, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names
from tests.seeing import sites

CASES: list[Case] = [
    ("a method in a field that another file calls", SHELL, "class Tools\n  attr_reader :start\n\n  def initialize\n    @start = method(:system)\n  end\nend\n", "class Tools\n  attr_reader :start\n\n  def initialize\n    @start = method(:puts)\n  end\nend\n"),
    ('send', SHELL, 'def f(x)\n  Kernel.send(:system, x)\nend\n', 'def f(x)\n  Kernel.send(:format, x)\nend\n'),
    ('send without an object', SHELL, 'def f(x)\n  send(:system, "ls #{x}")\nend\n', 'def f(x)\n  send(:format, "ls #{x}")\nend\n'),
    ('public_send with a text', SHELL, 'def f(x)\n  Kernel.public_send("sys" + "tem", x)\nend\n', 'def f(x)\n  Kernel.public_send("for" + "mat", x)\nend\n'),
    ('another spelling of send', SHELL, 'def f(x)\n  Object.__send__(:exec, x)\nend\n', 'def f(x)\n  Object.__send__(:hash)\n  x\nend\n'),
    ('a method object', SHELL, 'def f(x)\n  method(:system).call(x)\nend\n', 'def f(x)\n  method(:format).call(x)\nend\n'),
    ('a method object in a variable', SHELL, 'def f(x)\n  run = method(:system)\n  run.(x)\nend\n', 'def f(x)\n  run = method(:format)\n  run.(x)\nend\n'),
    ('a method object in brackets', SHELL, 'def f(x)\n  run = Kernel.method(:system)\n  run[x]\nend\n', 'def f(x)\n  run = Kernel.method(:format)\n  run[x]\nend\n'),
    ('a block', SHELL, 'def f(x)\n  [x].each(&method(:system))\nend\n', 'def f(x)\n  [x].each(&method(:puts))\nend\n'),
    ('a block of another object', SHELL, 'def f(x)\n  x.split.map(&Kernel.method(:spawn))\nend\n', 'def f(x)\n  x.split.map(&Kernel.method(:format))\nend\n'),
    ('a table', SHELL, 'TOOLS = { run: method(:system), list: method(:format) }\ndef f(x)\n  TOOLS[:run].call(x)\nend\n', 'TOOLS = { run: method(:system), list: method(:format) }\ndef f(x)\n  TOOLS[:list].call(x)\nend\n'),
    ('a name in a constant', SHELL, 'NAME = :system\ndef f(x)\n  Kernel.send(NAME, x)\nend\n', 'NAME = :format\ndef f(x)\n  Kernel.send(NAME, x)\nend\n'),
    ('a full name', SHELL, 'def f(x)\n  Kernel.public_send(:spawn, x)\nend\n', 'def f(x)\n  Kernel.public_send(:sleep, x)\nend\n'),
    ('a method that returns it', SHELL, 'def run\n  method(:system)\nend\ndef f(x)\n  run.call(x)\nend\n', 'def run\n  method(:format)\nend\ndef f(x)\n  run.call(x)\nend\n'),
    ('eval by its name', CODE, 'def f(x)\n  send("ev" + "al", x)\nend\n', 'def f(x)\n  send("pu" + "ts", x)\nend\n'),
    ('an object that evaluates', CODE, 'def f(x)\n  Kernel.method(:eval).call(x)\nend\n', 'def f(x)\n  Kernel.method(:puts).call(x)\nend\n'),
    ('instance_eval by its name', CODE, 'def f(x)\n  Object.new.send(:instance_eval, x)\nend\n', 'def f(x)\n  Object.new.send(:inspect)\n  x\nend\n'),
    ('a block that evaluates', CODE, 'def f(x)\n  x.each(&method(:eval))\nend\n', 'def f(x)\n  x.each(&method(:puts))\nend\n'),
    ('a query by its name', QUERY, 'def f(x)\n  db.send(:execute, "select * from t where n = \'#{x}\'")\nend\n', 'def f(x)\n  db.send(:execute, "select * from t where n = ?", x)\nend\n'),
    ('alias', SHELL, 'alias run system\ndef f(x)\n  run(x)\nend\n', 'alias run format\ndef f(x)\n  run(x)\nend\n'),
    ('alias of a sign', SHELL, 'alias - system\ndef f(x)\n  self - x\nend\n', 'alias - format\ndef f(x)\n  self - x\nend\n'),
    ('alias of a sign with a number', SHELL, 'class Shop\n  alias - system\n  def f(x)\n    self - "ls #{x}"\n  end\nend\n', 'def f(x)\n  x - 1\nend\n'),
    ('alias_method', SHELL, 'class Shop\n  alias_method :x, :system\n  def f(cmd)\n    x(cmd)\n  end\nend\n', 'class Shop\n  alias_method :x, :format\n  def f(cmd)\n    x(cmd)\n  end\nend\n'),
    ('a branch before the last one', QUERY, 'def list(db, name)\n  unless name.nil?\n    sql = "select * from shops where name = \'#{name}\'"\n  else\n    sql = "select * from shops"\n  end\n  db.execute(sql)\nend\n', 'def list(db, name)\n  unless name.nil?\n    sql = "select * from shops where name = ?"\n  else\n    sql = "select * from shops"\n  end\n  db.execute(sql, [name])\nend\n'),
    ('a text in place of a failed one', SHELL, 'def show(name)\n  begin\n    line = "cat #{name}"\n  rescue NameError\n    line = "true"\n  end\n  system(line)\nend\n', 'def show(name)\n  begin\n    line = "cat list"\n  rescue NameError\n    line = "true"\n  end\n  system(line)\n  name\nend\n'),
    ('a constant beside a value', QUERY, 'def list(db, name)\n  db.execute("select * from shops where name = \'#{name ? name : "none"}\'")\nend\n', 'def list(db, name)\n  db.execute("select * from shops where name = \'#{name ? "some" : "none"}\'")\nend\n'),
    ('the last expression of a branch', SHELL, 'def show(name)\n  line = if name\n    warn "shown"\n    "cat #{name}"\n  else\n    "true"\n  end\n  system(line)\nend\n', 'def show(name)\n  line = if name\n    warn "shown #{name}"\n    "cat list"\n  else\n    "true"\n  end\n  system(line)\nend\n'),
    ('a function of C', SHELL, "require 'fiddle/import'\nmodule C\n  extend Fiddle::Importer\n  dlload 'libc.so.6'\n  extern 'int system(const char*)'\nend\n", "require 'fiddle/import'\nmodule C\n  extend Fiddle::Importer\n  dlload 'libc.so.6'\n  extern 'int strlen(const char*)'\nend\n"),
    ('a recorder of sessions', SHELL, 'def show(name)\n  Open3.capture2(\'script\', \'-qfc\', "cat #{name}", \'/dev/null\')\nend\n', 'def show(name)\n  Open3.capture2(\'script\', \'-q\', "list-#{name}")\nend\n'),
    ('an opener as a block', SHELL, 'class ShopsController < ApplicationController\n  def show\n    params[:all].each(&Kernel.public_method(:open))\n  end\nend\n', 'class ShopsController < ApplicationController\n  def show\n    params[:all].each(&Kernel.method(:format))\n  end\nend\n'),
    ('a reader in a list', SHELL, 'class ShopsController < ApplicationController\n  def show\n    ways = [IO.method(:popen)]\n    ways[0].call(params[:name])\n  end\nend\n', 'class ShopsController < ApplicationController\n  def show\n    ways = [Kernel.method(:format)]\n    ways[0].call(params[:name])\n  end\nend\n'),
    ('a scope', QUERY, 'class Shop < ApplicationRecord\n  scope :ranked, ->(way) { reorder(Arel.sql("rank #{way}")) }\nend\nclass ShopsController < ApplicationController\n  def index\n    Shop.ranked(params[:way])\n  end\nend\n', 'class Shop < ApplicationRecord\n  scope :ranked, ->(most) { reorder(Arel.sql("rank DESC")).limit(most) }\nend\nclass ShopsController < ApplicationController\n  def index\n    Shop.ranked(params[:most])\n  end\nend\n'),
    ('a template that a block gives', CODE, 'class ShopsController < ApplicationController\n  def show\n    Tilt[:haml].new do |_|\n      cookies[:page]\n    end.render\n  end\nend\n', 'class ShopsController < ApplicationController\n  def show\n    Tilt[:haml].new do |_|\n      File.read("page.haml")\n    end.render(self, page: params[:page])\n  end\nend\n'),
    ('conditions of an older call', QUERY, 'class ShopsController < ApplicationController\n  def show\n    Shop.count(conditions: "name = \'#{params[:name]}\'")\n  end\nend\n', 'class ShopsController < ApplicationController\n  def show\n    Shop.count(conditions: { name: params[:name] })\n  end\nend\n'),
    ('conditions in a list', QUERY, 'class ShopsController < ApplicationController\n  def show\n    Shop.first(conditions: ["name = \'#{params[:name]}\'"])\n  end\nend\n', 'class ShopsController < ApplicationController\n  def show\n    Shop.first(conditions: ["name = ?", params[:name]])\n  end\nend\n'),
    ('a column that is summed', QUERY, 'class ShopsController < ApplicationController\n  def show\n    Shop.calculate(:average, params[:what])\n  end\nend\n', 'class ShopsController < ApplicationController\n  def show\n    Shop.calculate(:average, :rank)\n  end\nend\n'),
    ('a value of permitted names', QUERY, 'class ShopsController < ApplicationController\n  def index\n    Shop.where("name = \'#{wanted[:name]}\'")\n  end\n\n  def wanted\n    params.require(:shop).permit(:name)\n  end\nend\n', 'class ShopsController < ApplicationController\n  def index\n    Shop.where(wanted).or(Shop.where(params.slice(:kind)))\n  end\n\n  def wanted\n    params.require(:shop).permit(:name)\n  end\nend\n'),
    ('a frozen table', SHELL, 'class ShopsController < ApplicationController\n  WAYS = { list: Open3.method(:capture2) }.freeze\n\n  def show\n    WAYS.fetch(:list).call(params[:name])\n  end\nend\n', 'class ShopsController < ApplicationController\n  WAYS = { list: Kernel.method(:format) }.freeze\n\n  def show\n    WAYS.fetch(:list).call(params[:name])\n  end\nend\n'),
    ('data that is not the dumped one', LOADING, 'def copy(shop, file)\n  told = Marshal.dump(shop)\n  told = file.read if file\n  Marshal.load(told)\nend\n', 'def copy(shop)\n  told = Marshal.dump(shop)\n  Marshal.load(told)\nend\n'),
    ('a constant that is replaced', TLS, "require 'openssl'\n\nOpenSSL::SSL.const_set(:VERIFY_PEER, OpenSSL::SSL::VERIFY_NONE)\n", "require 'openssl'\n\nShop.const_set(:VERIFY_PEER, OpenSSL::SSL::VERIFY_PEER)\n"),
    ('a block that replaces nothing', SHELL, 'def f(x, ok)\n  c = "rm " + x\n  [].each do |e|\n    c = "ls"\n  end\n  system(c)\nend\n', 'def f(x, ok)\n  c = "pwd"\n  [].each do |e|\n    c = "ls"\n  end\n  system(c)\nend\n'),
    ('a query that a block replaces', QUERY, 'def f(x, ok)\n  c = "select * from t where n = \'" + x + "\'"\n  [].each do |e|\n    c = "select 1"\n  end\n  ActiveRecord::Base.connection.execute(c)\nend\n', 'def f(x, ok)\n  c = "select 1"\n  [].each do |e|\n    c = "select 2"\n  end\n  ActiveRecord::Base.connection.execute(c)\nend\n'),
    ('a word before an assignment', SHELL, 'def f(x, ok)\n  c = "rm " + x\n  ok and c = "ls"\n  system(c)\nend\n', 'def f(x, ok)\n  c = "rm " + x\n  c = "ls" and ok\n  system(c)\nend\n'),
    ('a part that fails before it assigns', SHELL, 'def f(x, ok)\n  c = "rm " + x\n  begin\n    raise ok\n    c = "ls"\n  rescue StandardError\n    warn "failed"\n  end\n  system(c)\nend\n', 'def f(x, ok)\n  c = "pwd"\n  begin\n    raise ok\n    c = "ls"\n  rescue StandardError\n    warn "failed"\n  end\n  system(c)\nend\n'),
    ('a fallback that is not needed', SHELL, 'def f(x, ok)\n  c = "rm " + x\n  c ||= "ls"\n  system(c)\nend\n', 'def f(x, ok)\n  c = "pwd"\n  c ||= "ls"\n  system(c)\nend\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "rb")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "rb")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "rb")


@pytest.mark.parametrize("rule", ["code.shell_execution", "code.subprocess_unchecked"])
@pytest.mark.parametrize(
    "command",
    ["$(ruby /tmp/a.rb)", "\nruby /tmp/a.rb", "\\nruby /tmp/a.rb", "\\`ruby /tmp/a.rb\\`", "<(ruby /tmp/a.rb)"],
)
def test_a_command_behind_a_question_to_git_is_found(rule: str, command: str) -> None:
    assert sites(rule, f"def version\n  told = `git describe {command}`\n  told\nend\n", "ruby")


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("code.shell_execution", "describe --tags --match 'v*'"),
        ("code.shell_execution", "ls-files -z -- lib/\\*.rb"),
        ("code.shell_execution", "rev-parse HEAD 2>/dev/null"),
        ("code.subprocess_unchecked", "ls-files -z -- lib/\\*.rb"),
    ],
)
def test_a_question_to_git_is_not(rule: str, command: str) -> None:
    assert not sites(rule, f"def version\n  told = `git {command}`\n  told\nend\n", "ruby")
