/** A test keeps this equal to package.json. It is a constant because reading a file would delay every start. */
export const VERSION = "0.1.0";
