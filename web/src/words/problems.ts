/** What the server says of rules that can't be, in the reader's language: its sentences are English, and few in kind. */
import { settings } from "../state/settings.svelte";

const FRENCH: [RegExp, string][] = [
  [/^(?:[\w-]+|document): (.*)$/, "$1"],
  [/unknown option '([^']+)'/g, "règle inconnue « $1 »"],
  [/unknown rule set '([^']+)'/g, "jeu inconnu « $1 »"],
  [/unknown game '([^']+)'/g, "jeu inconnu « $1 »"],
  [/; there are (.*)$/, " ; il y a $1"],
  [/; did you mean '([^']+)'\?/g, " ; vouliez-vous dire « $1 » ?"],
  [/input should be less than or equal to ([-\d.]+)/g, "au plus $1"],
  [/input should be greater than or equal to ([-\d.]+)/g, "au moins $1"],
  [/input should be a valid integer/g, "un nombre entier"],
  [/input should be a valid boolean/g, "true ou false"],
  [/input should be a valid string/g, "un texte entre guillemets"],
  [/input should be (a valid tuple|a valid list)/g, "une liste entre crochets"],
  [/input should be ('[^,]+'.*?)(, not|$)/g, "l'une de ces valeurs : $1$2"],
  [/tuple should have at least (\d+) items? after validation, not \d+/g, "au moins $1 valeur"],
  [/string should match pattern '[^']*'/g, "de petites lettres, des chiffres et des tirets, une lettre d'abord"],
  [/not TOML: .*$/, "ce texte n'est pas du TOML ; voyez les guillemets et les crochets"],
  [/count from an entry tile, so they are below (\d+)/, "se comptent depuis une case d'entrée : au-dessous de $1"],
  [/there is only one outcome, so nothing is random/, "il n'y a qu'un résultat : rien n'est dû au hasard"],
  [/pieces of different players never matter to each other/, "les pions de joueurs différents ne se gênent jamais"],
  [/is more than/g, "dépasse"],
  [/ needs /g, " demande "],
  [/ or '/g, " ou '"],
  [/, not (\S+)$/, ", pas $1"],
];

export function problemWords(problem: string): string {
  if (settings.lang !== "fr") return problem;
  return FRENCH.reduce((words, [english, french]) => words.replace(english, french), problem);
}
