/** A player's own statistics: every game that ended in this browser, in numbers. Kept here only. */
import type { Analysis, Over, Tally } from "../net/types";

export interface OwnGame {
  id: string;
  /** When it ended. */
  at: string;
  game: string;
  title: string;
  player: string;
  players: number;
  won: boolean;
  luck: number;
  captures: number;
  rolls: number;
  /** Of each face: how often it fell, and how often it was to be expected. */
  faces: Record<string, [number, number]>;
  /** Marked errors, once the chances of the game were looked at. */
  errors: number | null;
  /** What the rolls gave and what errors cost, in shares of the win; missing in games that were kept before. */
  gained?: number;
  lost?: number;
}

const KEY = "ludus.mine";
const MOST = 2000;

function stored(): OwnGame[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as OwnGame[]) : [];
  } catch {
    return [];
  }
}

export const mine: { games: OwnGame[] } = $state({ games: stored() });

function store(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(mine.games));
  } catch {
    // a browser without storage still plays
  }
}

/** A game that ended, once, for the one player who was here. */
export function keepGame(id: string, game: { name: string; title: string }, player: string, over: Over): void {
  const tally: Tally | undefined = over.tally?.[player];
  if (!tally || mine.games.some((one) => one.id === id)) return;
  const players = Object.keys(over.tally ?? {}).length;
  const { luck, captures, rolls, faces = {} } = tally;
  mine.games.push({ id, at: new Date().toISOString(), game: game.name, title: game.title, player, players, won: over.winners.includes(player), luck, captures, rolls, faces, errors: null });
  mine.games.splice(0, mine.games.length - MOST);
  store();
}

/** Luck and errors of a game whose chances were looked at. */
export function keepAnalysis(id: string, found: Analysis): void {
  const known = mine.games.find((one) => one.id === id);
  if (!known) return;
  known.errors = found.errors.filter((one) => one.by === known.player).length;
  known.gained = found.luck[known.player];
  known.lost = found.lost[known.player];
  store();
}

export function forgetGames(): void {
  mine.games = [];
  store();
}

export interface Summary {
  title: string;
  games: number;
  wins: number;
  /** What equal players would have won. */
  fair: number;
  luck: number;
  /** Means of the games whose chances were looked at, and how many these are. */
  errors: number | null;
  gained: number | null;
  lost: number | null;
  looked: number;
}

/** The mean of what is known. */
function meanOf(values: (number | null | undefined)[]): number | null {
  const known = values.filter((one) => typeof one === "number");
  return known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : null;
}

/** By game, those played most first. */
export function summaries(games: OwnGame[]): Summary[] {
  const byTitle = new Map<string, OwnGame[]>();
  for (const one of games) byTitle.set(one.title, [...(byTitle.get(one.title) ?? []), one]);
  const found = [...byTitle].map(([title, own]) => {
    const looked = own.filter((one) => one.errors !== null);
    return {
      title,
      games: own.length,
      wins: own.filter((one) => one.won).length,
      fair: own.reduce((sum, one) => sum + 1 / one.players, 0),
      luck: own.reduce((sum, one) => sum + one.luck, 0),
      errors: meanOf(looked.map((one) => one.errors)),
      gained: meanOf(looked.map((one) => one.gained)),
      lost: meanOf(looked.map((one) => one.lost)),
      looked: looked.length,
    };
  });
  return found.sort((one, other) => other.games - one.games);
}

/** How often each face fell and was to be expected, over all games. */
export function facesOf(games: OwnGame[]): [string, number, number][] {
  const found = new Map<string, [number, number]>();
  for (const { faces } of games) {
    for (const [face, [fell, expected]] of Object.entries(faces)) {
      const before = found.get(face) ?? [0, 0];
      found.set(face, [before[0] + fell, before[1] + expected]);
    }
  }
  return [...found].map(([face, [fell, expected]]) => [face, fell, expected] as [string, number, number]).sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
}
