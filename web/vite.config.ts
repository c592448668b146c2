import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds files that may be below any path: what they load is named relative to them. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // The policy of the page runs no inline script, and takes no font or style from a data URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A release lists what it contains.
    license: { fileName: 'packages.json' },
    chunkSizeWarningLimit: 2_000,
  },
  worker: { format: 'es' },
});
