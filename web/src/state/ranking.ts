/** Who came where: by the places of the rules, by what each got, and by pieces home among those who got the same. */
import type { View } from "../board/scene";
import type { Over } from "../net/types";

export interface Ranked {
  player: string;
  rank: number;
}

export function rankingOf(over: Over, view: View): Ranked[] {
  const facts = new Map(view.seats.map((seat) => [seat.player, seat]));
  const score = (player: string): number[] => {
    const place = facts.get(player)?.place;
    const home = facts.get(player)?.home;
    return [over.result?.[player] ?? 0, typeof place === "number" ? -place : -99, typeof home === "number" ? home : 0];
  };
  const sorted = Object.keys(over.result ?? {}).sort((one, other) => compare(score(other), score(one)));
  const ranked: Ranked[] = [];
  sorted.forEach((player, at) => {
    const before = ranked.at(-1);
    const isTied = before && compare(score(before.player), score(player)) === 0;
    ranked.push({ player, rank: isTied ? before.rank : at + 1 });
  });
  return ranked;
}

function compare(one: number[], other: number[]): number {
  for (const [at, value] of one.entries()) if (value !== other[at]) return value - (other[at] ?? 0);
  return 0;
}
