import { idOrNull, TokenId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { queueNames } from '../../shared/contract/stack-outputs.ts';
import { revokeToken } from '../../shared/domain/access/tokens.ts';
import { UsageError } from '../command-error.ts';
import { type Commands, numberOf } from './command.ts';
import { workspaceOf } from './places.ts';

const auditedByDefault = 100;

export const operationCommands: Commands = {
  'tokens list': {
    operands: ['WORKSPACE'],
    says: 'lists the personal access tokens of a workspace',
    run: async ({ ports: { registry } }, [workspace = '']) =>
      registry.tokens.list((await workspaceOf(registry, workspace)).id),
  },
  'tokens revoke': {
    operands: ['WORKSPACE', 'TOKEN_ID'],
    says: 'ends a personal access token at once',
    run: async ({ ports }, [workspace = '', token_id = '']) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      const token = idOrNull(TokenId, token_id);
      if (token === null) throw new Problem('not_found');
      return revokeToken(ports, id, token);
    },
  },
  audit: {
    operands: ['WORKSPACE'],
    options: ['limit'],
    says: 'lists what was changed and by whom, newest first',
    run: async ({ ports: { registry } }, [workspace = ''], values) =>
      registry.audit.latest((await workspaceOf(registry, workspace)).id, numberOf(values, 'limit') ?? auditedByDefault),
  },
  redrive: {
    operands: [queueNames.join('|')],
    says: 'sends dead letters to their queue again',
    run: async ({ connection: { sqs, names } }, [named = '']) => {
      const queue = queueNames.find((name) => name === named);
      if (queue === undefined) throw new UsageError(`redrive takes ${queueNames.join(' or ')}`);
      const { redrive } = await import('../../shared/adapters/sqs/redrive.ts');
      const deadLetterQueueUrl = names[`${queue}_dead_letter_queue_url`];
      return { sent: await redrive(sqs, { deadLetterQueueUrl, queueUrl: names[`${queue}_queue_url`] }) };
    },
  },
};
