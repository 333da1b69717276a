/** The server's HTTP part. */
import { settings } from "../state/settings.svelte";
import { request } from "#tables";
import type { Analysis, Bot, GameSummary, MadeTable, Measured, NewTable, OptionValue, Pictured, PositionWanted, Preview, Replay, RuleBook, SetUp, TableFacts, Values, ValuesWanted } from "./types";

export class ServerError extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const mark = path.includes("?") ? "&" : "?";
  let response: Response;
  try {
    response = await request(`${path}${mark}lang=${settings.lang}`, init);
  } catch {
    throw new ServerError("unreachable", "");
  }
  const data: unknown = await response.json().catch(() => null);
  if (response.ok) return data as T;
  const error = (data as { error?: { code?: string; text?: string } } | null)?.error;
  throw new ServerError(error?.code ?? String(response.status), error?.text ?? response.statusText);
}

function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, { signal, method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

const at = encodeURIComponent;

export const api = {
  games: () => ask<GameSummary[]>("/api/games"),
  game: (game: string) => ask<Preview>(`/api/games/${at(game)}`),
  board: (game: string) => ask<Pictured>(`/api/games/${at(game)}/board`),
  rules: (game: string) => ask<RuleBook>(`/api/games/${at(game)}/rules`),
  preview: (game: string, players: number | undefined, options: Record<string, OptionValue>) =>
    post<Preview>(`/api/games/${at(game)}/preview`, { players, options }),
  document: (document: string, players: number | undefined, options: Record<string, OptionValue>) =>
    post<Preview>("/api/documents", { document, players, options }),
  bots: () => ask<Bot[]>("/api/bots"),
  openTables: () => ask<TableFacts[]>("/api/tables"),
  rulesOfTable: (id: string) => ask<RuleBook>(`/api/tables/${at(id)}/rules`),
  table: (id: string) => ask<TableFacts>(`/api/tables/${at(id)}`),
  make: (table: NewTable) => post<MadeTable>("/api/tables", table),
  join: (id: string, invite: string | undefined, player: string | undefined, who: { name: string; face: string; entropy: string }) =>
    post<{ table: string; player: string; token: string }>(`/api/tables/${at(id)}/join`, { invite, player, ...who }),
  invite: (id: string, invite: string) => post<{ code: string; expires: string }>(`/api/tables/${at(id)}/invitations`, { invite }),
  invited: (code: string) => ask<{ table: string }>(`/api/invitations/${at(code)}`),
  record: async (id: string) => (await request(`/api/tables/${at(id)}/record`)).text(),
  replay: (id: string, from: number, count: number) =>
    ask<Replay>(`/api/tables/${at(id)}/replay?from=${from}&count=${count}`),
  analysis: (id: string, signal?: AbortSignal) => ask<Analysis>(`/api/tables/${at(id)}/analysis`, { signal }),
  /** A position on its board; what is wrong with it is an error. */
  position: (wanted: PositionWanted) => post<SetUp>("/api/positions", wanted),
  values: (wanted: ValuesWanted, signal?: AbortSignal) => post<Values>("/api/positions/values", wanted, signal),
  measure: (document: string, signal?: AbortSignal) => post<Measured>("/api/measurements", { document }, signal),
  again: (id: string, moment: Pick<NewTable, "seats" | "position" | "pace" | "undo"> & { ply?: number }) =>
    post<MadeTable>(`/api/tables/${at(id)}/again`, moment),
  recordAddress: (id: string) => `/api/tables/${at(id)}/record`,
  upload: (file: Blob) =>
    ask<{ table: string }>("/api/records", { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: file }),
};
