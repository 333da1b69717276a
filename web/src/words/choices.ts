/** The values of options in words, by option and value; a value that nobody has named is shown as it is written. */
import { settings } from "../state/settings.svelte";

type Pair = readonly [en: string, fr: string];

export const CHOICES: Record<string, Record<string, Pair>> = {
  "board.shape": { cross: ["a cross", "une croix"], ring: ["a ring", "un anneau"], graph: ["tiles and ways", "cases et chemins"] },
  "board.travel": { clockwise: ["clockwise", "dans le sens horaire"], anticlockwise: ["anticlockwise", "dans le sens inverse"] },
  "chance.hold": { roll: ["until the roll is played", "jusqu'à la fin du lancer"], turn: ["until the turn ends", "jusqu'à la fin du tour"] },
  "chance.device": {
    dice: ["dice", "dés"],
    cowries: ["cowries", "cauris"],
    sticks: ["sticks", "bâtons"],
    spinner: ["a spinner", "une roue"],
    cards: ["cards", "cartes"],
  },
  "chance.use": { each: ["each by itself", "chacun à part"], sum: ["their sum", "leur somme"] },
  "chance.pool": { one_roll: ["one roll", "un lancer"], double_six: ["double six adds a roll", "double six : on relance en plus"] },
  "start.enter": { entry: ["on the entry tile", "sur la case d'entrée"], distance: ["as far as rolled", "aussi loin que le lancer"] },
  "start.go_on": { never: ["never", "jamais"], forced_alone: ["a lone piece must", "un pion seul y est obligé"] },
  "start.exit_block": { closed: ["stays closed", "reste fermé"], special: ["the special move opens it", "le coup spécial l'ouvre"] },
  "movement.combined_move": { none: ["no", "non"], jump: ["jumping", "en sautant"], sweep: ["sweeping", "en balayant"] },
  "chance.unplayable": { fold: ["the whole hand is laid down", "toute la main est posée"], discard: ["one card is discarded", "une carte est écartée"] },
  "start.protects": { no: ["as any other", "comme les autres"], until_moved: ["until it has moved", "tant qu’il n’a pas bougé"] },
  "movement.backward": { to_entry: ["to the entry tile", "jusqu’à la case d’entrée"], round: ["round the path", "tout autour du chemin"] },
  "movement.branch": { anywhere: ["anywhere", "partout"], from_rest: ["only when starting there", "seulement en partant de là"] },
  "movement.may_move": { own: ["one's own", "les siens"], team: ["the team's", "ceux de l'équipe"], all: ["everybody's", "ceux de tous"] },
  "capture.stack": { captured: ["is captured whole", "est capturée entière"], punishes: ["sends the mover home", "renvoie qui y tombe"] },
  "capture.by": { landing: ["landing on it", "en tombant dessus"], passing: ["passing it too", "en passant aussi"], sweep: ["sweeping", "en balayant"], none: ["never", "jamais"] },
  "capture.captured_to": { start: ["to its yard", "à sa maison"], held: ["held by its captor", "chez qui l'a pris"], back: ["some tiles back", "quelques cases en arrière"] },
  "block.stops": { none: ["nobody", "personne"], opponents: ["opponents", "les adversaires"], all: ["everybody", "tout le monde"] },
  "safe.landing": { shares: ["shares the tile", "partage la case"], punished: ["is sent home", "est renvoyé"] },
  "safe.entry": { open: ["safe for nobody", "sûre pour personne"], owner_shares: ["safe for its owner", "sûre pour son joueur"], owner_punishes: ["its owner sends others home", "son joueur renvoie les autres"] },
  "finish.rule": {
    exact: ["an exact roll", "un lancer exact"],
    overshoot: ["any roll that is enough", "tout lancer suffisant"],
    bounce: ["too much bounces back", "l'excès fait rebondir"],
    bounce_from_square: ["bounces back from the square", "rebondit depuis la case"],
    stairs: ["stairs, step by step", "un escalier, marche à marche"],
  },
  "finish.places": { one_tile: ["one tile for all", "une case pour tous"], end_path: ["the tiles of the end path", "les cases du couloir"] },
  "turn.first": { seat: ["the first seat", "la première place"], roll_off: ["the highest roll", "le plus grand lancer"], lot: ["drawn by lot", "tirage au sort"] },
  "turn.direction": { clockwise: ["clockwise", "dans le sens horaire"], anticlockwise: ["anticlockwise", "dans le sens inverse"] },
  "turn.sixes_row": { within_turn: ["within a turn", "dans un tour"], across_turns: ["across turns", "d'un tour à l'autre"] },
  "turn.six_without_move": { ends_turn: ["ends the turn", "finit le tour"], rolls_again: ["rolls again", "relance"] },
  "turn.again_on": { six: ["a six", "un six"], capture: ["a capture", "une capture"], finish: ["coming home", "une arrivée"], doubles: ["doubles", "un double"] },
  "win.condition": { home: ["pieces home", "les pions arrivés"], last_out: ["being the last in play", "rester le dernier en jeu"], score: ["points", "des points"] },
  "win.returns": { plain: ["by place", "selon la place"], zero_sum: ["winners take from losers", "les gagnants prennent aux perdants"] },
  "modes.mode": { ffa: ["each for itself", "chacun pour soi"], teams: ["teams of two", "équipes de deux"] },
  "modes.seating": { opposite: ["opposite", "face à face"], adjacent: ["side by side", "côte à côte"] },
};

export function choiceWords(option: string, value: string | number): string {
  const pair = CHOICES[option]?.[String(value)];
  return pair ? pair[settings.lang === "fr" ? 1 : 0] : String(value).replaceAll("_", " ");
}
