import type { WorkspaceId } from '../../../contract/ids.ts';
import { memoised } from '../../base/caching.ts';
import { sha256 } from '../../base/digest.ts';
import type { Urn } from './node.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 base32, lower case, without padding, cut to `length` characters. */
function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      text += alphabet[(buffer >> (bits - 5)) & 31];
      bits -= 5;
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

const digest = (text: string, length: number) => base32(sha256(text), length);

export const nodeIdLength = 26;
export const scopeIdLength = 16;
export const shardCount = 64;

/** One generation of a workspace's graph, as the stores of the graph name it (ADR 5). */
export type GraphId = string & { readonly __brand: 'GraphId' };

/** The only maker of these ids. Ids of workspaces hold no `~`, so no generation has the id of another workspace. */
export const graphOf = (workspace: WorkspaceId, generation: number): GraphId =>
  (generation === 0 ? `${workspace}` : `${workspace}~${generation}`) as GraphId;

/** 130 bits of the SHA-256 of a node's URN: fixed width, so that no key is a prefix of another. */
export type NodeId = string & { readonly __brand: 'NodeId' };
export const nodeId: (urn: Urn) => NodeId = memoised(25_000, (urn) => digest(urn, nodeIdLength) as NodeId);

/** 80 bits of the SHA-256 of a scope key. */
export type ScopeId = string & { readonly __brand: 'ScopeId' };
export const scopeId = (scopeKey: string): ScopeId => digest(scopeKey, scopeIdLength) as ScopeId;

/** The first six bits of a node id: which of the 64 shards keeps its pages. */
export function shardOf(node: NodeId): number {
  return alphabet.indexOf(node.charAt(0)) * 2 + (alphabet.indexOf(node.charAt(1)) >> 4);
}

/** A short content digest, for what must differ when the content differs. */
export const contentDigest = (text: string): string => digest(text, 16);
