/** The seats this browser holds, by table: each token opens one seat. */
export interface Holding {
  tokens: Record<string, string>;
  invite: string | null;
  /** A short invitation, and when it expires. */
  code?: string;
  expires?: string;
}

const KEY = "ludus.tables";
const MOST_TABLES = 50;

type Shelf = Record<string, Holding>;

function shelf(): Shelf {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Shelf;
  } catch {
    return {};
  }
}

export function holding(table: string): Holding {
  return shelf()[table] ?? { tokens: {}, invite: null };
}

/** The tables this browser holds seats at, the newest first. */
export function heldTables(): string[] {
  const held = Object.entries(shelf()).filter(([, { tokens }]) => Object.keys(tokens).length > 0);
  return held.map(([table]) => table).reverse();
}

export function keep(table: string, change: Partial<Holding>): void {
  const all = shelf();
  const before = all[table] ?? { tokens: {}, invite: null };
  delete all[table]; // the newest is last, the oldest fall off
  all[table] = { ...before, ...change, tokens: { ...before.tokens, ...change.tokens }, invite: change.invite ?? before.invite };
  store(Object.fromEntries(Object.entries(all).slice(-MOST_TABLES)));
}

/** A seat that was left, or whose token no longer opens it. */
export function forget(table: string, player: string): void {
  const all = shelf();
  delete all[table]?.tokens[player];
  store(all);
}

/** A table that is not to be listed any more. */
export function drop(table: string): void {
  const all = shelf();
  delete all[table];
  store(all);
}

function store(all: Shelf): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // a browser without storage plays until the page is closed
  }
}
