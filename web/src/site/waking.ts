/**
 * Python, started once: the browser keeps its memory as it was then, and at later visits it goes on from there.
 * That must be before a compiled library is loaded (Pyodide can't keep those), so ludus itself is imported every time.
 */
export interface Python {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): unknown;
  runPythonAsync(code: string): Promise<unknown>;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  globals: { set(name: string, value: unknown): void };
}
export interface Woken {
  python: Python;
  resumed: boolean;
  /** Keeps the memory for the next visit; whether the browser has it now. */
  remember(): Promise<boolean>;
}
type Load = (options: { indexURL: string; _makeSnapshot?: boolean; _loadSnapshot?: ArrayBuffer }) => Promise<Python>;

/** Not among what belongs to a version of the site (sw.js): Pyodide itself refuses the memory of another build. */
const CACHE = "ludus-python";
const PLACE = "/python/memory";

/** What ludus and pydantic import of the standard library. */
const STANDARD =
  "import asyncio, collections, contextvars, copy, ctypes, dataclasses, datetime, decimal, enum, fractions, functools, hashlib, importlib.metadata, inspect, ipaddress, json, logging, operator, pathlib, re, secrets, shutil, tempfile, tomllib, typing, urllib.parse, uuid, zipfile";
/** Else numbers drawn without a seed would be the same at every visit. */
const AFRESH = "import random; random.seed()";

export async function wake(load: Load, indexURL: string): Promise<Woken> {
  const memory = await remembered();
  const resumed = memory && (await load({ indexURL, _loadSnapshot: memory }).catch(() => null));
  if (resumed) {
    resumed.runPython(AFRESH);
    return { python: resumed, resumed: true, remember: async () => true };
  }
  const python = await load({ indexURL, _makeSnapshot: true });
  python.runPython(STANDARD);
  const bytes = copied(python);
  return { python, resumed: false, remember: () => keep(bytes) };
}

/** A browser that has no caches here, or shut them, starts Python every time. */
async function remembered(): Promise<ArrayBuffer | undefined> {
  try {
    return await (await self.caches?.match(PLACE, { cacheName: CACHE }))?.arrayBuffer();
  } catch {
    return undefined;
  }
}

function copied(python: Python): Uint8Array<ArrayBuffer> | null {
  try {
    return python.makeMemorySnapshot();
  } catch {
    return null;
  }
}

async function keep(bytes: Uint8Array<ArrayBuffer> | null): Promise<boolean> {
  if (!bytes || !self.caches) return false;
  try {
    await (await caches.open(CACHE)).put(PLACE, new Response(bytes));
    return true;
  } catch {
    return false; // no room
  }
}
