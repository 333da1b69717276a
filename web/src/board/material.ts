/** What boards are made of where the game they belong to has been made of it for long. */
import type { BoardLook } from "../state/settings.svelte";

const CLOTH = ["pachisi", "chaupar", "barjis", "ashta-chamma", "thaayam", "patolli", "yut", "yut-nori", "yut-back-do", "nyout"];
const WOOD = ["ur", "senet", "dog", "tock", "marbles", "wahoo"];

/** The look of a game's board: the one that was chosen, or else its own. */
export function materialOf(game: string, chosen: BoardLook): Exclude<BoardLook, "own"> {
  if (chosen !== "own") return chosen;
  return CLOTH.includes(game) ? "cloth" : WOOD.includes(game) ? "wood" : "clean";
}
