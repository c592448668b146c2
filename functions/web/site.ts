import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetsFolder } from '../../shared/contract/pages.ts';

/** A built file: its bytes as they are, and compressed with brotli where that is smaller. */
export type Asset = { readonly type: string; readonly plain: Uint8Array; readonly brotli: Uint8Array | null };

export type Site = { readonly document: string; readonly asset: (path: string) => Asset | null };

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The explorer as it was built, read whole from a folder next to the function's code: a later build may replace that. */
export function siteIn(folder: string): Site {
  const assets = path.join(folder, assetsFolder);
  const read = new Map(
    readdirSync(assets).flatMap((name) => {
      const type = types[path.extname(name)];
      return type === undefined ? [] : [[assetsFolder + name, readAsset(path.join(assets, name), type)] as const];
    }),
  );
  return {
    document: readFileSync(path.join(folder, 'index.html'), 'utf8'),
    asset: (asked) => read.get(asked) ?? null,
  };
}

function readAsset(file: string, type: string): Asset {
  const compressed = `${file}.br`;
  return { type, plain: readFileSync(file), brotli: existsSync(compressed) ? readFileSync(compressed) : null };
}
