/// <reference types="vitest/config" />
// Builds the console into dist/console, and says where the tests are.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, createServer, defineConfig, type Plugin, type Rolldown } from 'vite';
import { featureIds, features } from './src/features/table.ts';

const root = import.meta.dirname;
const sources = resolve(root, 'src/console');
const outDir = resolve(root, 'dist/console');
/** Where the pages of `npx vite` find the API: a gateway on its default address. */
const GATEWAY = process.env.POSTERN_DEV_GATEWAY ?? 'http://localhost:3080';
const css = { modules: { localsConvention: 'camelCaseOnly' as const } };

/** Puts `first.ts` into the page, as a script without imports that runs before anything else is fetched. */
function inlineFirst(): Plugin {
  return {
    name: 'postern-inline-first',
    apply: 'build',
    async transformIndexHtml(html) {
      const lib = { entry: join(sources, 'first.ts'), formats: ['iife' as const], name: 'first' };
      const built = await build({ configFile: false, logLevel: 'error', build: { lib, write: false } });
      const [{ code }] = (built as [Rolldown.RolldownOutput])[0].output;
      return html.replace(/<script\s+src="\/web\/app\/first\.js"><\/script>/, () => `<script>${code.trim()}</script>`);
    },
  };
}

/** The sign-in page as HTML: the console's own component, rendered once by a server that listens nowhere. */
async function renderSignIn(): Promise<Readonly<Record<string, string>>> {
  const options = { configFile: false as const, root, plugins: [react()], css, optimizeDeps: { noDiscovery: true } };
  const server = await createServer({ ...options, server: { middlewareMode: true, ws: false, watch: null } });
  const module = await server.ssrLoadModule(join(sources, 'shell/sign-in-html.tsx')).finally(() => server.close());
  return (module as typeof import('./src/console/shell/sign-in-html.tsx')).signInHtml();
}

/** Writes `preload.json`, by which the gateway names in each page all files that it is drawn with. A page's own is `screens/<id>/Screen.tsx`. */
function listPreloads(): Plugin {
  return {
    name: 'postern-list-preloads',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(file => file.type === 'chunk');
      const withImports = (name: string): string[] => {
        const { imports = [], viteMetadata } = chunks.find(({ fileName }) => fileName === name) ?? {};
        return [name, ...(viteMetadata?.importedCss ?? []), ...imports.flatMap(withImports)];
      };
      const filesOfEntry = chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => withImports(fileName));
      const filesOf = (source: string): string[] => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(sources, source)));
        const files = new Set(chunk === undefined ? [] : withImports(chunk.fileName));
        return [...files].filter(name => !filesOfEntry.includes(name));
      };
      const mono = Object.keys(bundle).filter(name => /mono-latin-400-.*woff2$/.test(name));
      const console = [...filesOf('shell/Private.tsx'), ...mono];
      // Routes that lead elsewhere have no files of their own.
      const pages = featureIds.flatMap(id => {
        const { path, leads, public: isPublic = false } = features[id];
        return leads === undefined ? [{ path, public: isPublic, files: filesOf(`screens/${id}/Screen.tsx`) }] : [];
      });
      const paths = { login: features.login.path, first: features.nodes.path };
      const source = JSON.stringify({ console, pages, ...paths, signInHtml: await renderSignIn() });
      this.emitFile({ type: 'asset', fileName: 'preload.json', source });
    },
  };
}

/** Writes `x.br` and `x.gz` beside every text file, so that the gateway never compresses while answering. */
function precompress(): Plugin {
  const compress = async (path: string): Promise<void> => {
    const bytes = await readFile(path);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  };
  return {
    name: 'postern-precompress',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true });
      await Promise.all(names.filter(name => /\.(js|css|svg)$/.test(name)).map(name => compress(join(outDir, name))));
    },
  };
}

// The first list's two files: what every page begins with, and the console's frame. The commands come after it; all else is by itself.
const start = { name: 'start', tags: ['$initial' as const] };
const frame = { name: 'frame', test: /shell[\\/]Private\.tsx$/ };
const commands = { name: 'commands', test: /commands[\\/]index\.ts$/ };
export default defineConfig({
  root: sources,
  base: '/web/app/',
  plugins: [react(), listPreloads(), inlineFirst(), precompress()],
  // The page's policy allows no data: fonts and scripts, so nothing is inlined.
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [start, frame, commands] } } },
  },
  css,
  server: { proxy: { '/v1': { target: GATEWAY, ws: true }, '/web/config.js': GATEWAY } },
  // Real servers and disks on a busy machine: what hangs ends, what waits its turn does not fail. No test leaves behind what the next could see.
  test: {
    root,
    include: ['{src,commands}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    globalSetup: ['e2e/rigs/login-shells.ts'],
    env: { POISON_REUSED_MEMORY: '1' },
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
