import type { SqlParser } from './types.ts';

/** For documents without statements, which are not worth the loading of a parser. */
export const noParser: SqlParser = () => ({ ok: false, reason: 'no_parser' });
