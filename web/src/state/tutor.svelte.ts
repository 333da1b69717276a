/** Looks over one's shoulder: values what may be played, and stops a bad move before it is made. */
import { api } from "../net/api";
import type { Values } from "../net/types";

/** Marks that are worth a word. */
const SERIOUS = ["?", "??"];
/** Nobody waits longer for a word of warning. */
const PATIENCE = 2500;

export interface Warning {
  move: string;
  best: string;
  mark: string;
  behind: number;
  /** What speaks for each of the two moves and against it; there a moment later. */
  reasons: Record<string, string[]>;
}

export class Tutor {
  warning = $state.raw<Warning | null>(null);
  /** What was found of the position that is shown. */
  found = $state.raw<Values | null>(null);
  private ply = 0;
  private asking = new AbortController();
  private answer: Promise<Values | null> = Promise.resolve(null);

  constructor(private readonly table: string) {}

  /** Another position: value it, beside the game. */
  look(ply: number): void {
    this.forget();
    this.ply = ply;
    const { signal } = (this.asking = new AbortController());
    this.answer = api.values({ table: this.table, ply }, signal).then(
      (values) => (signal.aborted ? null : (this.found = values)),
      () => null,
    );
  }

  /** Whether a move should be thought over; then there is a warning. */
  async stops(move: string): Promise<boolean> {
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
    const values = await Promise.race([this.answer, late]);
    const one = values?.moves.find((candidate) => candidate.move === move);
    const best = values?.moves[0];
    if (!one || !best || !SERIOUS.includes(one.mark)) return false;
    this.warning = { move, best: best.move, mark: one.mark, behind: one.behind, reasons: {} };
    void this.explain(this.warning);
    return true;
  }

  /** Why, once it is known; the warning doesn't wait for it. */
  private async explain(warning: Warning): Promise<void> {
    const wanted = { table: this.table, ply: this.ply, reasons: [warning.move, warning.best] };
    const values = await api.values(wanted, this.asking.signal).catch(() => null);
    if (values && this.warning === warning) this.warning = { ...warning, reasons: values.reasons };
  }

  forget(): void {
    this.asking.abort();
    this.answer = Promise.resolve(null);
    this.warning = this.found = null;
  }
}
