// Builds the command line as one file beside the console: any Node from 22 on runs it, without anything else.
import { defineConfig } from 'vite';

/** Says so on a Node that is too old, before anything is used that it lacks. */
const banner = `#!/usr/bin/env node
if (parseInt(process.versions.node) < 22) {
  console.error('postern: Node 22 or later is needed; this is ' + process.versions.node);
  process.exit(1);
}`;

export default defineConfig({
  root: import.meta.dirname,
  ssr: { noExternal: true },
  build: {
    ssr: 'index.ts',
    target: 'node22',
    outDir: '../../dist/console',
    emptyOutDir: false,
    minify: true,
    rolldownOptions: { output: { entryFileNames: 'postern.mjs', codeSplitting: false, banner } },
  },
});
