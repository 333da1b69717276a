// Turns wheels into one archive for the page: unpacked, compiled by the very Python that will run it, packed again.
//   node compile.mjs PYODIDE_FOLDER OUT.zip KERNELS WHEEL…
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, kernels, ...wheels] = process.argv.slice(2);
const at = resolve(folder);
const { loadPyodide } = await import(pathToFileURL(`${at}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${at}/` });
for (const wheel of wheels) python.FS.writeFile(`/tmp/${basename(wheel)}`, new Uint8Array(readFileSync(wheel)));
python.FS.mkdir("/tmp/ahead");
for (const file of readdirSync(kernels)) python.FS.writeFile(`/tmp/ahead/${file}`, new Uint8Array(readFileSync(`${kernels}/${file}`)));
python.runPython(`
import compileall, pathlib, py_compile, shutil, zipfile

site = pathlib.Path("/tmp/site")
for wheel in pathlib.Path("/tmp").glob("*.whl"):
    zipfile.ZipFile(wheel).extractall(site)
# what a page never uses: the client itself, environments, arenas, the server's own store and its migrations
for unused in ("server/static", "server/migrations", "server/app.py", "server/store.py", "server/schema.py", "server/wire.py", "envs", "arena", "cli"):
    path = site / "ludus" / unused
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
shutil.move("/tmp/ahead", site / "ludus/core/compiling/ahead")
kept = ["ludus", "pydantic", "pydantic_core", "annotated_types", "typing_inspection", "typing_extensions.py"]
# without sources a module is its .pyc beside its name; kernels and data classes need no source, words are data
compileall.compile_dir(site, quiet=2, legacy=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
with zipfile.ZipFile("/tmp/site.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(site.rglob("*")):
        inside = path.relative_to(site)
        if path.is_file() and path.suffix not in (".py", ".pyi") and "__pycache__" not in inside.parts:
            archive.write(path, inside)
`);
writeFileSync(out, python.FS.readFile("/tmp/site.zip"));
