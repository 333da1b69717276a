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
    vi.stubGlobal("location", { href: "http://here/t/table" });
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

  it("goes to the server of a cluster that has the table, and asks anew where that one is gone", () => {
    expect(last().address).toBe("ws://here/api/tables/table/socket");
    last().say({ type: "error", id: null, code: "elsewhere", text: "", address: "/~b" });
    last().onclose?.({ code: 4421 });
    vi.advanceTimersByTime(250);
    expect(last().address).toBe("ws://here/~b/api/tables/table/socket");
    last().onopen?.();
    last().say({ type: "table", id: null });
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(250);
    expect(last().address).toBe("ws://here/~b/api/tables/table/socket");
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(500);
    expect(last().address).toBe("ws://here/api/tables/table/socket");
    expect(heard.some((message) => message.type === "error")).toBe(false);
  });

  it("takes a server that does not answer for dead, and sends again elsewhere", () => {
    last().say({ type: "table" });
    const quiet = FakeSocket.made.length;
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.made.length).toBe(quiet); // nothing was asked
    const id = socket.send({ type: "roll", ply: 0 });
    vi.advanceTimersByTime(12_250);
    expect(FakeSocket.made.length).toBe(quiet + 1);
    last().onopen?.();
    last().say({ type: "table" });
    expect(last().sent.map((request) => request.id)).toEqual([undefined, id]);
  });

  it("hears of a server that closes down as of any other loss", () => {
    last().say({ type: "error", id: null, code: "closing", text: "" });
    expect(heard).toEqual([]);
  });
});
