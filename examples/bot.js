// A bot for ludus in JavaScript (Node): wins or captures where it can, else takes the first move of the list.
//
// Try it:  ludus arena pettingzoo "exec:node examples/bot.js" random --games 40

const readline = require("node:readline");

function score(move, you) {
  if (move.result) return move.result[you] > 0 ? 2 : -1; // the move ends the game
  return move.captures.length ? 1 : 0;
}

function choose(message) {
  let best = message.moves[0];
  for (const move of message.moves) {
    if (score(move, message.you) > score(best, message.you)) best = move;
  }
  return best.number;
}

function answer(message) {
  if (message.type === "hello") return { type: "hello", protocol: 1, name: "capturing bot in JavaScript" };
  if (message.type === "move") return { id: message.id, move: choose(message) };
  return null; // "game" and "over" want no answer
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const reply = answer(JSON.parse(line));
  if (reply) process.stdout.write(JSON.stringify(reply) + "\n");
});
