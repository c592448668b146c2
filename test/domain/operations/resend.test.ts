import { describe, expect, it } from 'vitest';
import { resendRecounts, resendRewrites } from '../../../shared/domain/operations/sweep/resend-recounts.ts';

const now = new Date('2026-11-28T12:00:00Z');

describe('recounts whose message was lost', () => {
  type Ports = Parameters<typeof resendRecounts>[0];
  const recounts = ['sent', 'taken', 'broken'].map((connector_id) => ({ workspace_id: 'w', connector_id, step: 3 }));

  it('are sent once and counted by outcome, and a failed send is reported', async () => {
    const [failures, sent, until]: [unknown[], unknown[], string[]] = [[], [], []];
    const error = new Error('no queue');
    const ports = {
      recounts: {
        due: async () => recounts,
        reschedule: async ({ connector_id }: { connector_id: string }, _: string, due: string) => {
          until.push(due);
          return connector_id !== 'taken';
        },
      },
      queue: {
        send: async ({ connector_id }: { connector_id: string }) => {
          if (connector_id === 'broken') throw error;
          sent.push(connector_id);
        },
      },
      onRecountSendFailed: (recount: unknown, why: unknown) => failures.push([recount, why]),
    } as unknown as Ports;
    expect(await resendRecounts(ports, now)).toEqual({ resent: 1, unsent: 1 });
    expect(sent).toEqual(['sent']);
    expect(failures).toEqual([[recounts[2], error]]);
    expect(until.every((due) => due > now.toISOString())).toBe(true);
  });
});

describe('rewrites whose message was lost', () => {
  type Ports = Parameters<typeof resendRewrites>[0];
  const portsOf = (records: Record<string, { readonly step: number } | undefined>, isAdvanced: boolean) => {
    const [sent, advanced]: [unknown[], { step: number; due_at: string }[]] = [[], []];
    const ports = {
      graphs: {
        due: async () => ['a', 'b', 'c'].map((workspace_id) => ({ workspace_id, step: 2 })),
        find: async (workspace_id: string) => {
          const record = records[workspace_id];
          return record ? { record: { workspace_id, ...record } } : null;
        },
        advance: async (_: unknown, next: { step: number; due_at: string }) => {
          advanced.push(next);
          return isAdvanced;
        },
      },
      queue: { send: async (message: unknown) => void sent.push(message) },
    };
    return { ports: ports as unknown as Ports, sent, advanced };
  };

  it('are sent again if they are still at that step, and come due ten minutes later', async () => {
    const { ports, sent, advanced } = portsOf({ a: { step: 2 }, b: { step: 3 } }, true);
    expect(await resendRewrites(ports, now)).toBe(1);
    expect(sent).toMatchObject([{ workspace_id: 'a', step: 2 }]);
    expect(advanced).toMatchObject([{ workspace_id: 'a', due_at: '2026-11-28T12:10:00.000Z' }]);
  });

  it('are not sent if another sweep took them', async () => {
    const { ports, sent } = portsOf({ a: { step: 2 } }, false);
    expect(await resendRewrites(ports, now)).toBe(0);
    expect(sent).toEqual([]);
  });
});
