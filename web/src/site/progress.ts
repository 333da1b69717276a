/** A thin bar while the tables are being made ready, and a sentence where they can't be. */
import { settings } from "../state/settings.svelte";
import type { FromWorker } from "./messages";

const WORDS = {
  en: { waits: "Getting the tables ready…", broken: "The tables can't be started in this browser." },
  fr: { waits: "Préparation des tables…", broken: "Les tables ne peuvent pas démarrer dans ce navigateur." },
};

const bar = document.createElement("div");
bar.className = "tables-progress";
bar.setAttribute("role", "status");
document.documentElement.dataset.tables = "waiting";
document.body.append(bar);
show(0, WORDS[settings.lang].waits);

function show(share: number, text: string): void {
  bar.textContent = text;
  bar.style.setProperty("--share", `${Math.round(share * 100)}%`);
}

export function showProgress(told: Extract<FromWorker, { kind: "progress" | "ready" | "broken" }>): void {
  const words = WORDS[settings.lang];
  if (told.kind === "progress") show(told.share, words.waits);
  else if (told.kind === "ready") {
    document.documentElement.dataset.tables = told.resumed ? "resumed" : "started";
    bar.remove();
  } else {
    document.documentElement.dataset.tables = "broken";
    show(1, `${words.broken} ${told.text.trim().split("\n").at(-1) ?? ""}`);
  }
}
