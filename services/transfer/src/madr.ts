/** The functions with which the command line reads Markdown decisions, without database and server. */
export { decisionFields } from './madr/decision-fields.ts';
export { isMadrFile } from './madr/madr-file-name.ts';
export { parseMadr } from './madr/parse-madr.ts';
