/** How the games stand on the shelf; a game that no group names stands with those from around the world. */
import type { GameSummary } from "../net/types";

export type Group = "family" | "world" | "strategy";
const GROUPS: Record<Group, string[]> = {
  family: ["classic", "quick", "british", "dome", "star", "strict", "maedn", "cross-6", "cross-8", "deck"],
  world: ["pachisi", "parchis", "parchis-one-die", "parques", "yut", "yut-back-do", "petits-chevaux", "fia", "eile-mit-weile", "non-t-arrabbiare", "chinczyk", "ki-nevet", "ashta-chamma", "thaayam", "barjis", "uckers", "mens-erger-je-niet", "cross-and-circle", "patolli", "senet", "nyout"],
  strategy: ["generals", "french", "tides", "pettingzoo"],
};

export function shelves(games: GameSummary[]): [Group, GameSummary[]][] {
  const found: Record<Group, GameSummary[]> = { family: [], world: [], strategy: [] };
  for (const game of games) found[groupOf(game)].push(game);
  return (Object.keys(GROUPS) as Group[]).map((group) => {
    const rank = (game: GameSummary): number => GROUPS[group].indexOf(game.name) + 1 || 99;
    return [group, found[group].sort((one, other) => rank(one) - rank(other))];
  });
}

function groupOf(game: GameSummary): Group {
  const known = (Object.keys(GROUPS) as Group[]).find((group) => GROUPS[group].includes(game.name));
  return known ?? (game.family === "ludo" ? "world" : "strategy");
}
