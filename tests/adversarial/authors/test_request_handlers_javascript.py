"""Functions that a server calls with what anybody sends: sockets, resolvers, procedures, server actions, cloud functions."""

# ruff: noqa: S608 - sources that are read and never run

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import FORGERY, PATH, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

CP = 'import { execSync, execFile } from "node:child_process"\n'
FS = 'import fs from "node:fs"\n'
IO = 'import { Server } from "socket.io"\nconst io = new Server(3000)\n'
STORE = 'import { AsyncLocalStorage } from "node:async_hooks"\nconst store = new AsyncLocalStorage()\n'
WS = 'import { WebSocketServer } from "ws"\nconst wss = new WebSocketServer({ port: 1 })\n'
TRPC = 'import { publicProcedure, router } from "../trpc"\nimport { z } from "zod"\n'
CASES: list[Case] = [
    ("a message of a namespace", SHELL, CP + IO + 'io.of("/jobs").on("connection", function (client) {\n  client.once("size", ({ folder }) => {\n    execSync(`du -sh ${folder}`)\n  })\n})\n', CP + IO + 'io.of("/jobs").on("connection", function (client) {\n  client.once("size", ({ folder }) => {\n    execFile("du", ["-sh", "--", folder])\n  })\n})\n'),
    ("a handler of messages with a name", PATH, FS + IO + 'function remove(name) {\n  fs.unlinkSync(`notes/${name}`)\n}\nio.on("connection", (socket) => {\n  socket.on("remove", remove)\n})\n', FS + IO + 'function remove(id) {\n  fs.unlinkSync(`notes/${Number(id)}`)\n}\nio.on("connection", (socket) => {\n  socket.on("remove", remove)\n})\n'),
    ("the handshake of a socket", PATH, FS + IO + 'io.on("connection", (socket) => {\n  fs.mkdirSync("rooms/" + socket.handshake.query.room)\n})\n', FS + IO + 'io.on("connection", (socket) => {\n  fs.mkdirSync("rooms/" + socket.id)\n})\n'),
    ("any message of a socket", SHELL, CP + IO + 'io.on("connection", (socket) => {\n  socket.onAny((event) => execSync("logger " + event))\n})\n', CP + IO + 'io.on("connection", (socket) => {\n  socket.onAny((event) => execFile("logger", ["--", event]))\n})\n'),
    ("a message of a plain web socket", FORGERY, WS + 'wss.on("connection", (peer) => {\n  peer.on("message", async (data) => {\n    const { url } = JSON.parse(data.toString())\n    peer.send(await (await fetch(url)).text())\n  })\n})\n', WS + 'wss.on("connection", (peer) => {\n  peer.on("message", async (data) => {\n    const { id } = JSON.parse(data.toString())\n    peer.send(await (await fetch("https://shop.example/" + Number(id))).text())\n  })\n})\n'),
    ("an event of a program of the same file", PATH, FS + WS + 'wss.on("connection", (peer) => {\n  peer.on("message", (data) => fs.readFileSync("notes/" + data))\n})\n', FS + WS + 'import { watch } from "chokidar"\nconst watcher = watch("notes")\nwatcher.on("change", (path) => fs.readFileSync(path))\n'),
    ("a resolver as a method", FORGERY, 'export const resolvers = {\n  Mutation: {\n    async importFeed(_parent, args) {\n      return (await fetch(args.feed)).text()\n    },\n  },\n}\n', 'export const resolvers = {\n  Mutations: {\n    async importFeed(_parent, args) {\n      return (await fetch("https://shop.example/feeds/" + encodeURIComponent(args.feed))).text()\n    },\n  },\n}\n'),
    ("resolvers in a table of their own", QUERY, 'import { pool } from "./pool"\nconst Query = {\n  notes: (_, { sort }) => pool.query("select * from notes order by " + sort),\n}\nexport default { Query }\n', 'import { pool } from "./pool"\nconst Query = {\n  notes: (_, { owner }) => pool.query("select * from notes where owner = $1", [owner]),\n}\nexport default { Query }\n'),
    ("a field with a resolver", PATH, FS + 'import { GraphQLObjectType, GraphQLString } from "graphql"\nexport const Root = new GraphQLObjectType({\n  name: "Root",\n  fields: { page: { type: GraphQLString, resolve: (_, { name }) => fs.readFileSync("pages/" + name, "utf8") } },\n})\n', FS + 'import { GraphQLObjectType, GraphQLString } from "graphql"\nexport const Root = new GraphQLObjectType({\n  name: "Root",\n  fields: { page: { type: GraphQLString, resolve: (page) => fs.readFileSync("pages/" + page.id, "utf8") } },\n})\n'),
    ("a query of tRPC", QUERY, TRPC + 'import { pool } from "../pool"\nexport const notes = router({\n  list: publicProcedure.input(z.string()).query((opts) => pool.query(`select * from notes order by ${opts.input}`)),\n})\n', TRPC + 'import { pool } from "../pool"\nexport const notes = router({\n  list: publicProcedure.input(z.string()).query((opts) => pool.query("select * from notes where id = $1", [opts.input])),\n})\n'),
    ("a server action that is a constant", FORGERY, '"use server"\nexport const preview = async (form) => (await fetch(form.get("address"))).text()\n', '"use server"\nconst preview = async (form) => (await fetch(form.address)).text()\nexport const start = async () => preview({ address: "https://shop.example" })\n'),
    ("a server action in a component", PATH, FS + 'export default function Page() {\n  async function remove(form) {\n    "use server"\n    fs.rmSync("notes/" + form.get("name"))\n  }\n  return remove\n}\n', FS + 'export default function Page() {\n  async function remove(form) {\n    "use strict"\n    fs.rmSync("notes/" + form.get("name"))\n  }\n  return remove\n}\n'),
    ("a server action that is listed", FORGERY, '"use server"\nasync function preview(form) {\n  return (await fetch(form.get("address"))).text()\n}\nexport { preview }\n', '"use client"\nasync function preview(form) {\n  return (await fetch(form.get("address"))).text()\n}\nexport { preview }\n'),
    ("the event of a cloud function", FORGERY, 'export const handler = async (event) => {\n  const page = await fetch(event.queryStringParameters.link)\n  return { statusCode: 200, body: await page.text() }\n}\n', 'export const handler = async (event) => {\n  const page = await fetch(process.env.PAGE, { headers: { link: event.queryStringParameters.link } })\n  return { statusCode: 200, body: await page.text() }\n}\n'),
    ("the query of an event of h3", PATH, FS + 'import { defineEventHandler, getQuery } from "h3"\nexport default defineEventHandler((event) => fs.readFileSync("pages/" + getQuery(event).name))\n', FS + 'import { defineEventHandler, getMethod } from "h3"\nexport default defineEventHandler((event) => fs.readFileSync("pages/" + getMethod(event)))\n'),
    ("a value that is kept for what runs meanwhile", PATH, FS + STORE + 'export const keep = (req, res, next) => {\n  store.enterWith(req.query.name)\n  next()\n}\nexport const page = () => {\n  const name = store.getStore()\n  return fs.readFileSync("pages/" + name)\n}\n', FS + STORE + 'export const keep = (req, res, next) => {\n  store.enterWith(Number(req.query.name))\n  next()\n}\nexport const page = () => {\n  const name = store.getStore()\n  return fs.readFileSync("pages/" + name)\n}\n'),
    ("a part of what is kept", PATH, FS + STORE + 'export const keep = (req, res, next) => store.run({ shop: req.get("x-shop"), id: 3 }, next)\nexport const page = () => fs.readFileSync("pages/" + store.getStore().shop)\n', FS + STORE + 'export const keep = (req, res, next) => store.run({ shop: req.get("x-shop"), id: 3 }, next)\nexport const page = () => fs.readFileSync("pages/" + store.getStore().id)\n'),
]  # fmt: skip
TYPED_CASES: list[Case] = [
    ("an argument of a resolver of Nest", FORGERY, 'import { Args, Query, Resolver } from "@nestjs/graphql"\n@Resolver()\nexport class Pages {\n  @Query(() => String)\n  async page(@Args("address") address: string) {\n    return (await fetch(address)).text()\n  }\n}\n', 'import { Parent, Query, Resolver } from "@nestjs/graphql"\n@Resolver()\nexport class Pages {\n  @Query(() => String)\n  async page(@Parent() page: { address: string }) {\n    return (await fetch(page.address)).text()\n  }\n}\n'),
    ("the body of a message of Nest", SHELL, CP + 'import { MessageBody, SubscribeMessage } from "@nestjs/websockets"\nexport class Jobs {\n  @SubscribeMessage("size")\n  size(@MessageBody() folder: string) {\n    execSync("du -sh " + folder)\n  }\n}\n', CP + 'import { MessageBody, SubscribeMessage } from "@nestjs/websockets"\nexport class Jobs {\n  @SubscribeMessage("size")\n  size(@MessageBody() folder: string) {\n    execFile("du", ["-sh", "--", folder])\n  }\n}\n'),
    ("resolvers with a type", FORGERY, 'import type { QueryResolvers } from "./types"\nexport const Query: QueryResolvers = {\n  page: async (_parent, { address }) => (await fetch(address)).text(),\n} satisfies QueryResolvers\n', 'import type { PageLoaders } from "./types"\nexport const Loaders: PageLoaders = {\n  page: async (_parent, { address }) => (await fetch(address)).text(),\n} satisfies PageLoaders\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "js")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_a_handler_is_given_is_untrusted(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "js")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_a_handler_is_silent(number: int, found: Found) -> None:
    assert_is_silent(found, number, "js")


@pytest.fixture(scope="module")
def found_in_typescript(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """The same for the cases in TypeScript."""
    return evidence_by_case(tmp_path_factory.mktemp("typed_shop"), TYPED_CASES, "ts")


@pytest.mark.parametrize("number", range(len(TYPED_CASES)), ids=names(TYPED_CASES))
def test_what_a_typed_handler_is_given_is_untrusted(number: int, found_in_typescript: Found) -> None:
    assert_way_is_told(found_in_typescript, number, TYPED_CASES[number], "ts")


@pytest.mark.parametrize("number", range(len(TYPED_CASES)), ids=names(TYPED_CASES))
def test_what_only_looks_like_a_typed_handler_is_silent(number: int, found_in_typescript: Found) -> None:
    assert_is_silent(found_in_typescript, number, "ts")
