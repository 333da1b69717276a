import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TableSocket, type Link, type Request } from "../src/net/socket";
import type { FromServer } from "../src/net/types";

/** A socket whose server is the test. */
class FakeSocket {
  static OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = FakeSocket.OPEN;
  sent: Request[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Request);
  }
  close(): void {
    this.onclose?.({ code: 1000 });
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function last(): FakeSocket {
  return FakeSocket.made.at(-1)!;
}

describe("a table's socket", () => {
  let links: [Link, number][];
  let heard: FromServer[];
  let socket: TableSocket;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("removeEventListener", () => undefined);
    FakeSocket.made = [];
    [links, heard] = [[], []];
    socket = new TableSocket("table", () => ({ type: "hello", tokens: ["t"] }), {
      message: (message) => heard.push(message),
      link: (state, code) => links.push([state, code]),
    });
    last().onopen?.();
  });
  afterEach(() => {
    socket.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("says hello first and sends nothing before the table answered", () => {
    socket.send({ type: "roll", ply: 0 });
    expect(last().sent.map((request) => request.type)).toEqual(["hello"]);
    last().say({ type: "table" });
    expect(last().sent.map((request) => request.type)).toEqual(["hello", "roll"]);
  });

  it("sends what was not answered again after a break, under the same id, and once answered never more", () => {
    last().say({ type: "table" });
    const id = socket.send({ type: "move", ply: 3, move: "out" });
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(10_000);
    expect(FakeSocket.made).toHaveLength(2);
    last().onopen?.();
    last().say({ type: "table" });
    expect(last().sent.at(-1)).toMatchObject({ type: "move", id, move: "out" });
    last().say({ type: "done", id, version: 4 });
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(10_000);
    last().onopen?.();
    last().say({ type: "table" });
    expect(last().sent.map((request) => request.type)).toEqual(["hello"]);
  });

  it("repeats what could not be stored, and says nothing of it", () => {
    last().say({ type: "table" });
    const id = socket.send({ type: "roll", ply: 0 });
    last().say({ type: "error", id, code: "store_failed", text: "" });
    vi.advanceTimersByTime(5000);
    expect(last().sent.filter((request) => request.id === id)).toHaveLength(2);
    expect(heard.map((message) => message.type)).toEqual(["table"]);
  });

  it("does not try again where the table refuses it", () => {
    last().onclose?.({ code: 4404 });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.made).toHaveLength(1);
    expect(links.at(-1)).toEqual(["refused", 4404]);
  });
});
