/** The package for CommonJS. TypeScript needs types of that format for it. */
import client = require('./index.ts');

export = client;
