/// <reference types="vitest/config" />
// Builds the console into dist/console, and says where the tests are.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const outDir = resolve(root, 'dist/console');
/** Where `npm run dev`-like use finds the API: a gateway on its default address. */
const GATEWAY = process.env.POSTERN_DEV_GATEWAY ?? 'http://localhost:3080';

const squeezable = /\.(js|css|svg|json|txt|webmanifest)$/;

/**
 * What every signed-in page with a list needs, in one file: forty small ones compress worse. What the sign-in page needs stays out,
 * and so does what only some pages need.
 */
function isOfConsole(id: string): boolean {
  return ofConsole.some(pattern => pattern.test(id));
}
const ofConsole: readonly RegExp[] = [
  /\/node_modules\/(zod|valtio|proxy-compare|hotkeys-js)\//,
  /\/commands\/(?!problems|rank|read)[a-z-]+\.ts$/,
  /\/src\/features\/(access|flags)\.ts$/,
  /\/src\/contract\/(?!audit-|calls|envelope|failure|pattern|predicate|recordings|regular|resources|terminal)[a-z-]+\.ts$/,
  /\/src\/console\/api\/client\.ts$/,
  /\/src\/console\/ui\/(?!Alert|Button|Field|Gate|joined|Spinner|MenuPopup|Snippet)[A-Za-z]+\.tsx?$/,
  /\/src\/console\/screens\/(ListPage|ServerList|list-query|pager|again)\.tsx?$/,
  /\/src\/console\/shell\/(Frame|Sidebar|TopBar|UserMenu|ClusterSelector|StatusLine|NoticeList|Banners|Mark|console|alerts|preferences|facts|last-paths|notices|status-text|page-of|user|icons|clusters-with)\.tsx?$/,
  /\/src\/console\/palette\/(CommandButton|context|gate|run|recents|keymap|bindings|commanding|listen|status)\.tsx?$/,
  /\/src\/console\/(shell\/(frame|sidebar|topbar|statusline|notices|banners)|ui\/(table|menu|dialog|keycap|pills|search)|screens\/list-page)\.module\.css/,
  /\/src\/console\/terminal\/(index|tabs|kept|watch|keys|tab)\.ts$/,
];

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

export default defineConfig({
  root: resolve(root, 'src/console'),
  base: '/web/app/',
  publicDir: false,
  // wouter and cmdk bring a stand-in for what React itself has had since version 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  plugins: [react(), refuseRings(), preloadFont(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    // The page's policy allows no data: fonts and scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Icons apart: the console's modules use them while they load, so they may not wait for each other.
          groups: [
            { name: 'icons', test: /\/node_modules\/lucide-react\// },
            { name: 'console', test: isOfConsole },
          ],
        },
      },
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
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
  },
});
