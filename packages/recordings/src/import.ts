// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { createImportProgress, type ImportResult, importFile } from "./import/import-file.ts";
