import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const BARE = /^(?:@[^/]+\/)?[\w-][^/]*/;
const nameOf = (folder) => folder.split('/node_modules/').at(-1);

/** Modules that take 1 to 2 MiB each in every process, although few or none of them use them. */
const replacements = {
  'body-parser': 'body-parser.cjs',
  'whatwg-url': 'whatwg-url.mjs',
  '@mongodb-js/saslprep': 'saslprep.cjs',
};
const replacePackages = (folder) => ({
  name: 'replace-packages',
  resolveId: (source, importer) =>
    source in replacements && !importer?.startsWith(folder) ? join(folder, replacements[source]) : null,
});

/** A thread's file is beside the one that starts it (libs/service-kit/src/jobs/start-thread.ts). */
const emitThreads = {
  name: 'emit-threads',
  transform(code, id) {
    if (PACKAGE.test(id)) return;
    for (const [, name] of code.matchAll(/'\.\/([a-z-]+-thread)'/g))
      this.emitFile({ type: 'chunk', id: resolve(dirname(id), `${name}.ts`), fileName: `${name}.js` });
  },
};

/**
 * Bundles `entry` of the checkout `root` into `folder`/main.mjs. Our code has source maps. Each package has a
 * file, so that a stack trace names it, and because V8 needs more memory to compile one large file.
 * Returns the folders of the packages in the bundle. Packages that are not in `names` stay imports.
 */
export async function bundle({ root, entry, folder, names, plugins = /** @type {object[]} */ ([]) }) {
  // Of `root`, whose packages they load: a release is bundled from a clone.
  const replaced = join(root, 'deploy/docker/replaced');
  const building = await rolldown({
    cwd: root,
    input: { main: entry },
    platform: 'node',
    resolve: { conditionNames: ['x-source', 'node', 'default'] },
    external: (source) => BARE.test(source) && !names.has(BARE.exec(source)[0]),
    preserveEntrySignatures: false,
    plugins: [...plugins, replacePackages(replaced), emitThreads],
    onLog(_level, log) {
      throw new Error(log.message);
    },
  });
  const { output } = await building.generate({
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source) => relative(root, resolve(root, 'out', source)),
    // V8 keeps the text in memory: one byte per character, without comments.
    charset: 'ascii',
    comments: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        // In a file of ours, packages would import what imports them.
        {
          debugName: 'replaced',
          test: (id) => dirname(id) === replaced,
          name: (id) => `packages/replaced-${basename(id, extname(id))}`,
        },
        {
          debugName: 'packages',
          test: PACKAGE,
          name: (id) => `packages/${nameOf(PACKAGE.exec(id)[0]).replace('/', '-')}`,
        },
      ],
    },
  });
  await building.close();
  const packages = new Set();
  for (const { fileName, code, source, moduleIds = [] } of output) {
    const isPackage = fileName.startsWith('packages/');
    if (isPackage && fileName.endsWith('.map')) continue;
    const file = join(folder, fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, isPackage ? code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n') : (code ?? source));
    for (const id of moduleIds) if (PACKAGE.test(id)) packages.add(PACKAGE.exec(id)[0]);
  }
  return [...packages];
}

/** Returns the licences of packages as one text. */
export function licencesOf(folders) {
  return folders
    .map((folder) => {
      const { name, version, license, homepage } = readManifest(folder);
      const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
      const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
      return `${name} ${version} (${license})\n\n${text || homepage}\n`;
    })
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}

export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
