/** How the games stand on the shelf; a game that no group names stands with those from around the world. */
import type { GameSummary } from "../net/types";

export type Group = "family" | "world" | "strategy";
const GROUPS: Record<Group, string[]> = {
  family: ["classic", "quick", "british", "dome", "star", "strict", "maedn", "cross-6", "cross-8", "deck", "slides", "ludo-1896"],
  world: [
    "pachisi", "parchis", "yut", "petits-chevaux", "ur", "aeroplane", "parques", "dog", "uckers", "fia", "eile-mit-weile", "senet", "tock", "cross-and-circle",
    "mens-erger-je-niet", "non-t-arrabbiare", "chinczyk", "ki-nevet", "maedn-house", "parchis-one-die", "chaupar", "ashta-chamma", "thaayam", "barjis", "patolli",
    "yut-nori", "yut-back-do", "nyout", "wahoo", "marbles",
  ],
  strategy: ["generals", "french", "tides", "pettingzoo"],
}; // prettier-ignore

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
