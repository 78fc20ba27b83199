/** Resolves packages of this repository to their sources, as Node does with `--conditions=x-source`. */
module.exports = (path, options) =>
  options.defaultResolver(path, { ...options, conditions: ['x-source', 'node', 'import', 'default'] });
