import type { PageReader } from '../../../domain/graph/ports.ts';
import { batchGet } from '../batch-get.ts';
import { coldPageKey, pageKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { pageOf } from './page-codec.ts';

/** Reads neighbour pages, 100 a request. */
export function pageReader(table: Table, meter?: Meter): PageReader {
  const metered = meter ? { meter } : {};
  return {
    firstPages: async (workspace, side, nodes, options) => {
      const keys = nodes.map((node) => pageKey(workspace, side, node, 0));
      const items = await batchGet(table, keys, { ...metered, consistent: options?.consistent ?? false });
      return items.map((item) => pageOf(side, item));
    },
    morePages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => pageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
    coldPages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => coldPageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
  };
}
