/** What the page and its worker say to each other. */
export type ToWorker =
  | { kind: "request"; n: number; method: string; path: string; body: string | undefined }
  | { kind: "open"; n: number; table: string }
  | { kind: "hear"; n: number; text: string }
  | { kind: "leave"; n: number };

export type FromWorker =
  | { kind: "progress"; share: number }
  | { kind: "ready"; resumed: boolean }
  | { kind: "remembered" }
  | { kind: "broken"; text: string }
  | { kind: "answer"; n: number; status: number; type: string; text: string }
  | { kind: "opened"; n: number }
  | { kind: "said"; n: number; text: string }
  | { kind: "closed"; n: number; code: number };
