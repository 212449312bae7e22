/// <reference types="vitest/config" />
// Builds the console into dist/console, and says where the tests are.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, build, defineConfig, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { featureIds, features } from './src/features/table.ts';

const root = import.meta.dirname;
const outDir = resolve(root, 'dist/console');
/** Where `npm run dev`-like use finds the API: a gateway on its default address. */
const GATEWAY = process.env.POSTERN_DEV_GATEWAY ?? 'http://localhost:3080';

const squeezable = /\.(js|css|svg|json|txt|webmanifest)$/;

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly code: string | null } | null;
}
const module = (path: string): string => resolve(root, 'src/console', path);

/** Ends the name of a module of commands that is cut to their heads, see `shipHeads`. */
const HEAD = '?head';

/**
 * Which file a module goes into. What every signed-in page with a list needs is one file, `console`: forty small ones compress worse. Parts
 * of it that the sign-in page needs as well are `forms`, its icons `icons`: the other pages' files import those too.
 */
function createGroups(): (id: string, graph: Graph) => string | null {
  let groups: { first: Set<string>; signIn: Set<string>; console: Set<string>; icons: Set<string> } | undefined;
  const reach = (graph: Graph, from: readonly string[], seen = new Set<string>()): Set<string> => {
    for (const id of from) {
      if (seen.has(id)) continue;
      seen.add(id);
      // The icons' own index names all of them; which ones are used is read from who imports them.
      if (id.includes('/lucide-react/')) continue;
      // Calls are part of what the head of a command leaves out.
      const next = graph.getModuleInfo(id)?.importedIds ?? [];
      reach(graph, id.endsWith(HEAD) ? next.filter(one => !one.includes('/src/contract/')) : next, seen);
    }
    return seen;
  };
  const iconsOf = (graph: Graph, ids: Iterable<string>): Set<string> => {
    const files = new Set<string>();
    for (const id of ids)
      for (const [, names = ''] of (graph.getModuleInfo(id)?.code ?? '').matchAll(
        /import\s*{([^}]*)}\s*from\s*['"]lucide-react/g,
      ))
        for (const name of names.split(','))
          files.add(
            name
              .replace(/\sas\s.*/s, '')
              .trim()
              .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=\d)/g, '-')
              .toLowerCase(),
          );
    return files;
  };
  return (id, graph) => {
    if (groups === undefined) {
      const console = reach(graph, ['shell/Private.tsx', 'screens/nodes/Screen.tsx'].map(module));
      groups = {
        first: reach(graph, [module('index.html'), module('main.tsx')]),
        signIn: reach(graph, [module('screens/login/Screen.tsx')]),
        console,
        icons: iconsOf(graph, console),
      };
    }
    const icon = /\/lucide-react\/dist\/esm\/(?:icons\/(.+)\.m?js)?/.exec(id);
    if (icon) return icon[1] === undefined || groups.icons.has(icon[1]) ? 'console' : null;
    if (id === module('ui/icon.ts')) return 'console';
    // Without a group of their own, the parts of React would be a file each, and so would what joins built files.
    if (id.endsWith('rolldown/runtime.js')) return 'first';
    if (groups.first.has(id)) return 'first';
    if (groups.signIn.has(id)) return groups.console.has(id) ? 'first' : 'forms';
    return groups.console.has(id) ? 'console' : null;
  };
}

/** Writes `x.br` and `x.gz` beside every text asset, so that the gateway never compresses while answering. */
function precompress(): Plugin {
  return {
    name: 'postern-precompress',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true });
      await Promise.all(
        names
          .filter(name => squeezable.test(name))
          .map(async name => {
            const path = join(outDir, name);
            const bytes = await readFile(path);
            const [br, gz] = await Promise.all([
              promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
              promisify(gzip)(bytes, { level: 9 }),
            ]);
            await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
          }),
      );
    },
  };
}

/** Stops the build when two files import each other: parts of one would be used before they are there. */
function refuseRings(): Plugin {
  return {
    name: 'postern-refuse-rings',
    apply: 'build',
    generateBundle(_options, bundle) {
      const done = new Set<string>();
      const visit = (name: string, path: readonly string[]): void => {
        if (path.includes(name)) this.error(`Built files import each other: ${[...path, name].join(' -> ')}`);
        const file = bundle[name];
        if (done.has(name) || file?.type !== 'chunk') return;
        for (const next of file.imports) visit(next, [...path, name]);
        done.add(name);
      };
      for (const name of Object.keys(bundle)) visit(name, []);
    },
  };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}
/**
 * Puts our own few lines in the place of what weighs more than it does here: lucide-react draws its icons by any of twenty properties,
 * and Vite's helper around `import()` names scripts ahead.
 */
function shipStandIns(): Plugin {
  return {
    name: 'postern-ship-stand-ins',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      if (source.endsWith('vite/preload-helper.js')) return module('shell/bring.ts');
      return source.endsWith('/createLucideIcon.mjs') ? module('ui/icon.ts') : null;
    },
    // Of an icon's data only its shapes are drawn: their keys are random letters, which do not compress.
    transform: (code, id) =>
      id.includes('/lucide-react/dist/esm/icons/')
        ? { code: code.replaceAll(/,\s*key: "\w+"|^ {2}(name|size|aliases): .*,\n/gm, ''), map: null }
        : null,
  };
}

/** What of a command only its use needs: looking for it, asking, running. A row that asks for nothing, nor whether it is meant, runs at once. */
const ofUse: ReadonlySet<string> = new Set(['words', 'args', 'phrase']);
const nodesIn = (value: unknown): readonly Node[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is Node => typeof one === 'object' && one !== null && 'type' in one,
  );

const writesCommands = /\bcommand\({/;

/** Ships the commands twice: their heads for the first load, where `heads.ts` asks for the list, and whole for everyone else. */
function shipHeads(): Plugin {
  const folder = resolve(root, 'commands');
  const isDoor = (id: string) => id === join(folder, 'index.ts');
  return {
    name: 'postern-ship-heads',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.startsWith('./') || importer === undefined || !importer.startsWith(folder)) return null;
      const id = resolve(folder, source);
      const isHead = importer.endsWith(HEAD)
        ? writesCommands.test(await readFile(id, 'utf8'))
        : importer === join(folder, 'heads.ts') && isDoor(id);
      return isHead ? id + HEAD : null;
    },
    load: id => (id.endsWith(HEAD) ? readFile(id.slice(0, -HEAD.length), 'utf8') : null),
    transform: {
      order: 'post',
      handler(code, id) {
        if (!id.endsWith(HEAD)) return null;
        const cuts: { at: number; end: number }[] = [];
        const visit = (node: Node): void => {
          if (node.type === 'CallExpression' && nodesIn(node.callee)[0]?.name === 'command') {
            const fields = nodesIn(nodesIn(node.arguments)[0]?.properties);
            const nameOf = (field: Node) => nodesIn(field.key)[0]?.name;
            const asks = fields.some(field => nameOf(field) === 'args' || nameOf(field) === 'destructive');
            for (const field of fields) {
              const name = nameOf(field);
              if (typeof name !== 'string' || !(ofUse.has(name) || (asks && name === 'run'))) continue;
              const after = /^\s*,/.exec(code.slice(field.end))?.[0].length ?? 0;
              cuts.push({ at: field.start, end: field.end + after });
            }
          }
          for (const value of Object.values(node)) for (const inner of nodesIn(value)) visit(inner);
        };
        for (const line of nodesIn(this.parse(code).body)) visit(line);
        let shipped = code;
        for (const { at, end } of cuts.toSorted((one, other) => other.at - one.at))
          shipped = shipped.slice(0, at) + shipped.slice(end);
        return { code: shipped, map: null };
      },
    },
  };
}

/**
 * Tells the gateway which files each page is drawn with (`preload.json`), so that the page can name them all at once instead of finding
 * one after the other. The pages are those of the feature table; `console` is what surrounds every page of someone who is signed in.
 */
function listPreloads(): Plugin {
  return {
    name: 'postern-list-preloads',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(file => file.type === 'chunk');
      const closure = (names: readonly string[], seen = new Set<string>()): Set<string> => {
        for (const name of names) {
          if (seen.has(name)) continue;
          seen.add(name);
          const file = bundle[name];
          if (file?.type !== 'chunk') continue;
          closure(file.imports, seen);
          for (const style of file.viteMetadata?.importedCss ?? []) seen.add(style);
        }
        return seen;
      };
      const first = closure(chunks.filter(chunk => chunk.isEntry).map(chunk => chunk.fileName));
      const filesOf = (module: string): string[] => {
        const chunk = chunks.find(one => one.facadeModuleId === module || one.moduleIds.includes(module));
        return chunk === undefined ? [] : [...closure([chunk.fileName])].filter(name => !first.has(name));
      };
      const screensIndex = resolve(root, 'src/console/screens/index.ts');
      const lines = await readFile(screensIndex, 'utf8');
      const named = new Map<string, string>();
      const screens: Record<string, string[]> = {};
      for (const [, name = '', file = ''] of lines.matchAll(/(\w+)(?:: Load =|:) \(\) => import\('(.+?)'\)/g)) {
        named.set(name, file);
        screens[name] = filesOf(resolve(screensIndex, '..', file));
      }
      for (const [, id = '', name = ''] of lines.matchAll(/^ {2}(\w+): (\w+),$/gm))
        screens[id] = filesOf(resolve(screensIndex, '..', named.get(name) ?? ''));
      const fonts = Object.keys(bundle).filter(name => /mono-latin-400-normal.*\.woff2$/.test(name));
      const preloads = {
        console: [...filesOf(resolve(root, 'src/console/shell/Private.tsx')), ...fonts],
        // Routes that lead elsewhere have no files of their own.
        pages: featureIds
          .filter(id => features[id].leads === undefined)
          .map(id => ({ path: features[id].path, public: features[id].public === true, files: screens[id] ?? [] })),
        login: features.login.path,
        first: features.nodes.path,
        drawn: await drawSignIn(),
      };
      this.emitFile({ type: 'asset', fileName: 'preload.json', source: JSON.stringify(preloads) });
    },
  };
}

/** The sign-in page as HTML: the console's own component, drawn once. */
async function drawSignIn(): Promise<readonly string[]> {
  const { output } = await buildPart({ ssr: module('shell/drawn.tsx') });
  const folder = await mkdtemp(join(root, 'node_modules/.drawn-'));
  try {
    const file = join(folder, 'drawn.mjs');
    await writeFile(file, output[0].code);
    const drawn: typeof import('./src/console/shell/drawn.tsx') = await import(file);
    return drawn.drawSignIn();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Builds a part of the console by itself, without writing it. */
async function buildPart(options: BuildEnvironmentOptions): Promise<Rolldown.RolldownOutput> {
  const config: InlineConfig = {
    configFile: false,
    root: resolve(root, 'src/console'),
    plugins: [react()],
    css,
    logLevel: 'error',
    build: { ...options, write: false, target, rolldownOptions: { treeshake } },
  };
  const [built] = [await build(config)].flat() as Rolldown.RolldownOutput[];
  if (built === undefined) throw new Error('Nothing was built');
  return built;
}

/** Builds `first.ts` as a script without imports and puts it into the page, where it runs before anything else is fetched. */
function inlineFirst(): Plugin {
  return {
    name: 'postern-inline-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const lib = { entry: module('first.ts'), formats: ['iife' as const], name: 'first' };
        const { output } = await buildPart({ lib });
        const { code } = output[0];
        const place = /<script\s+src="\/web\/app\/first\.js"><\/script>/;
        if (!place.test(html)) throw new Error('index.html has no place for first.ts');
        if (/<\/script|<!--/i.test(code)) throw new Error('first.ts would end its own script element');
        return html.replace(place, () => `<script>${code.trim()}</script>`);
      },
    },
  };
}

/** Preloads the one font that the first paint needs; its hashed name is known only after the build. */
function preloadFont(): Plugin {
  return {
    name: 'postern-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find(name => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/web/app/${font}`, crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

const target = 'es2024';
/** Nothing is read for what reading it does: a property whose value nobody uses is left out. */
const treeshake = { propertyReadSideEffects: false } as const;
const css = { modules: { localsConvention: 'camelCaseOnly' as const } };

export default defineConfig({
  root: resolve(root, 'src/console'),
  base: '/web/app/',
  publicDir: false,
  // wouter and cmdk bring a stand-in for what React itself has had since version 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  plugins: [
    react(),
    shipStandIns(),
    shipHeads(),
    refuseRings(),
    listPreloads(),
    inlineFirst(),
    preloadFont(),
    precompress(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target,
    // The page's policy allows no data: fonts and scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      treeshake,
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: createGroups(), debugName: 'by page' }],
        },
      },
    },
  },
  css,
  server: {
    proxy: {
      '/v1': { target: GATEWAY, ws: true },
      '/webapi': { target: GATEWAY, ws: true },
      '/web/config.js': { target: GATEWAY },
    },
  },
  test: {
    root,
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'commands/**/*.test.ts'],
    environment: 'node',
    pool: 'threads',
    env: { POSTERN_POISON_MEMORY: '1' },
    // Real servers and real disks on a busy machine: a test that hangs ends, one that waits its turn does not fail.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
