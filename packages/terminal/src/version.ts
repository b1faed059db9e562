/** Kept equal to package.json by a test; a constant, because reading a file would delay every start. */
export const VERSION = "0.1.0";
