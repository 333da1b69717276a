/** A name and a face: asked once, before the first game with others, and remembered. */
import { settings } from "./settings.svelte";

export const introduction: { asked: (() => void) | null } = $state({ asked: null });

/** Waits until somebody has said who they are, or would rather not. */
export function introduce(): Promise<void> {
  if (settings.introduced) return Promise.resolve();
  return new Promise((resolve) => {
    introduction.asked = () => {
      introduction.asked = null;
      settings.introduced = true;
      resolve();
    };
  });
}
