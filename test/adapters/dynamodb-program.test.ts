import { describe, expect, it } from 'vitest';
import { dynamodbProgram } from '../../local/emulators/dynamodb-program.ts';

const address = { host: '127.0.0.1', port: 1 };
const bare = { chosen: undefined, name: '@dynoxide/unpublished', hasDynamodbLocal: () => false };

describe('the emulator of DynamoDB', () => {
  it('is the binary of the platform that npm installed', () => {
    expect(dynamodbProgram(address, null)[0]).toMatch(/dynoxide/);
  });

  it('is DynamoDB Local if the platform has no package and Java is there, with its data in the same folder', () => {
    const machine = { ...bare, hasDynamodbLocal: () => true };
    expect(dynamodbProgram(address, '/data/stores/dynamodb.sqlite', machine)).toEqual(
      expect.arrayContaining(['java', '127.0.0.1', '1', '/data/stores']),
    );
  });

  it('is the binary that is chosen, before all others', () => {
    expect(dynamodbProgram(address, null, { ...bare, chosen: '/opt/dynoxide' })[0]).toBe('/opt/dynoxide');
  });

  it('reports a missing program with the command that installs it', () => {
    expect(() => dynamodbProgram(address, null, bare)).toThrow('npm install --no-save @dynoxide/unpublished');
  });
});
