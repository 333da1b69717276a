/** What the server sends, as docs/protocol.md and docs/scene.md describe it. */
import type { Event, Move, Scene, View } from "../board/scene";

export interface GameSummary {
  name: string;
  title: string;
  about: string;
  source: string;
  family: string;
  players: string[];
  numbers: number[];
}

export type OptionValue = boolean | number | string | (string | number)[] | null;

export interface Option {
  key: string;
  group: string;
  value: OptionValue;
  default: OptionValue;
  kind: "bool" | "int" | "enum" | "list" | "text";
  choices?: (string | number)[];
  min?: number | null;
  max?: number | null;
  meaning: string;
  rules: string[];
}

/** A game with its board as it starts. */
export interface Pictured extends GameSummary {
  scene: Scene;
  view: View;
}

export interface Preview extends Pictured {
  options: Option[];
  rules?: RuleBook;
  /** Of a rule set of one's own: the game it extends, what kind of Ludo it is, and how it differs. */
  base?: string;
  base_title?: string;
  /** What it says in tables beside the groups of options, as a document writes them. */
  tables?: Record<string, string>;
  verdict?: { kind: string; words: string; decides: { rule: string; text: string } | null };
  differences?: { option: string; value: unknown; before: string; now: string }[];
}

export interface RuleBook {
  title: string;
  sections: { key?: string; title: string; rules: { id: string; text: string; option?: string | null }[] }[];
  /** Positions that show a section's rule, by its key. */
  scene?: Scene;
  examples?: Record<string, View>;
}

export interface Bot {
  name: string;
  title: string;
  text: string;
}

export interface Seat {
  player: string;
  kind: "person" | "bot";
  name: string;
  bot: string | null;
  online: boolean;
  open: boolean;
  taken_over: boolean;
  resigned: boolean;
  face?: string;
}

/** How long people may think, in seconds, and what happens then. */
export interface Clock {
  move: number | null;
  game: number | null;
  then: "bot" | "pass";
}

/** Clocks as they stood when the message came (`at`), in milliseconds. */
export interface ClockNow {
  running: string | null;
  grace: number;
  move: number | null;
  game: Record<string, number> | null;
  at: number;
}

export interface DiceFacts {
  kind: "fair" | "seeded" | "drawn";
  commitment: string | null;
  secret: string | null;
  entropies: [number, string, string][];
}

export interface Tally {
  captures: number;
  suffered: number;
  rolls: number;
  sixes: number;
  luck: number;
  faces?: Record<string, [number, number]>;
}

export interface TableFacts {
  id: string;
  game: string;
  title: string;
  family: string;
  players: string[];
  seats: Seat[];
  settings: { undo: boolean; auto_roll: boolean; pace: number; takeover: number; public: boolean; clock?: Clock | null };
  notices: string[];
  dice: DiceFacts;
  options: { key: string; value: OptionValue; meaning?: string }[] | Record<string, OptionValue>;
  version: number;
  replay: boolean;
  over: Over | null;
  rematch: string | null;
  acting: string | null;
}

export interface Over {
  result: Record<string, number> | null;
  winners: string[];
  reason: "played" | "resigned";
  text: string;
  /** Every player's game in numbers. */
  tally?: Record<string, Tally>;
}

/** A view with what the table adds to it. */
export type TableView = View & {
  version: number;
  ply: number;
  headline: string;
  hints: string[];
  can_undo: string | null;
  over: Over | null;
  clock?: Omit<ClockNow, "at"> | null;
};

export type StepKind = "roll" | "move" | "undo" | "resign" | "takeover" | "back" | "sit" | "leave" | "rematch" | "entropy" | "time";

export interface LogLine {
  version: number;
  ply: number;
  by: string;
  kind: StepKind;
  text: string;
  words: string;
  /** Whose roll or move it is. */
  player?: string;
  /** What it did, one thing after the other. */
  events?: Event[];
  move?: Move | null;
}

export interface Step extends LogLine {
  type: "step";
  view: TableView;
}

export type FromServer =
  | { type: "table"; you: string[]; table: TableFacts; scene: Scene; view: TableView; log: LogLine[] }
  | Step
  | { type: "seats"; version: number; seats: Seat[]; clock?: Omit<ClockNow, "at"> | null }
  | { type: "said"; player: string; phrase: string }
  | { type: "done"; id: string; version: number }
  | { type: "hint"; id: string; move: string; words: string; reasons: string[] }
  | { type: "why"; id: string; legal: string[]; reasons: { move: string; text: string; rule: string | null; code: string }[] }
  | { type: "rematch"; table: string }
  | { type: "error"; id: string | null; code: string; text: string; address?: string };

export interface NewTable {
  game?: string;
  document?: string;
  players?: number | string[];
  options?: Record<string, OptionValue>;
  seats?: Record<string, { kind: "person" | "bot" | "open"; name?: string; bot?: string; face?: string; entropy?: string }>;
  undo?: boolean;
  auto_roll?: boolean;
  pace?: number;
  takeover?: number;
  public?: boolean;
  clock?: Clock;
  seed?: number;
  position?: unknown;
}

export interface MadeTable {
  table: string;
  tokens: Record<string, string>;
  invite: string | null;
}

export interface Frame {
  n: number;
  by: string;
  kind: "start" | "roll" | "move";
  move?: Move | null;
  text: string;
  words: string;
  player?: string;
  events?: Event[];
  view: TableView;
}

export interface Analysis {
  turning_point: number | null;
  words: string;
  /** Everybody's chances at the start and after each event. */
  curve: Record<string, number>[];
  errors: { n: number; by: string; best: string; mark: string; lost: number; best_move: Move | null; played: Move | null }[];
  /** The dearest errors and the rolls with the most luck, in words; `ply` is what to look at. */
  moments: { n: number; ply: number; mark: string; words: string }[];
  /** By player, in shares of the win: what its own rolls gave it, and what its errors cost it. */
  luck: Record<string, number>;
  lost: Record<string, number>;
}

/** A position that is meant: of a game, of rules of one's own, or of a table. */
export interface PositionWanted {
  game?: string;
  document?: string;
  table?: string;
  players?: number | string[];
  position?: unknown;
  id?: string;
  ply?: number;
}

/** What is asked about a position; of some moves also what speaks for them. */
export interface ValuesWanted extends PositionWanted {
  reasons?: string[];
}

/** A position that was set up. */
export interface SetUp {
  id: string;
  game: string;
  title: string;
  players: string[];
  position: Record<string, unknown>;
  scene: Scene;
  view: View;
}

/** What a position is worth: chances, and each move's or each outcome's worth to the one whose turn it is. */
export interface Values {
  by: string;
  turn: string;
  values: Record<string, number>;
  moves: { move: string; worth: number; behind: number; mark: string }[];
  rolls: { roll: string; chance: number; worth: number }[];
  /** What speaks for some moves and against them, for those that were asked about. */
  reasons: Record<string, string[]>;
}

export interface Measured {
  head: string;
  note: string;
  figures: { key: string; words: string; text: string }[];
}

export interface Replay {
  table: string;
  scene: Scene;
  count: number;
  from: number;
  frames: Frame[];
}
