// Runs a program in the Python of the static site's page, and prints its last value.
//   scripts/web run page_python.mjs PYODIDE_FOLDER PROGRAM [FILE]
// FILE is an archive of modules, or a library: then /tmp/kernel.so for the program.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, file] = process.argv.slice(2);
const at = resolve(folder);
const { loadPyodide } = await import(pathToFileURL(`${at}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${at}/` });
const data = new Uint8Array(readFileSync(file));
if (file.endsWith(".zip")) python.unpackArchive(data, "zip", { extractDir: "/lib/python3.14/site-packages" });
else python.FS.writeFile("/tmp/kernel.so", data);
console.log(python.runPython(readFileSync(program, "utf-8")));
