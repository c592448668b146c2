import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { connect } from './connect.ts';
import { queryRows } from './events/query-rows.ts';
import { storedLines } from './events/stored-lines.ts';
import { waitUntilStored } from './events/wait-until-stored.ts';

const usage = `npm run events -- --credentials FILE | --tenant NAME --workspace ID [--sql "select …"]

Prints the stored events of a workspace as NDJSON, oldest received_at first, once every event that was accepted
before the call is stored. --sql prints the rows of a query over the table "events" instead.
`;

const { values } = parseArgs({
  options: {
    credentials: { type: 'string' },
    tenant: { type: 'string' },
    workspace: { type: 'string' },
    sql: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help || values.workspace === undefined) {
  process.stderr.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  await printEvents(values.workspace);
}

async function printEvents(workspace: string): Promise<void> {
  const connection = await connect(values);
  await waitUntilStored(connection);
  const bucket = { client: connection.s3, name: connection.names.lake_bucket };
  const lines = values.sql === undefined ? storedLines(bucket, workspace) : queryRows(bucket, workspace, values.sql);
  process.stdout.on('error', (error) => {
    // Whoever reads, such as `head`, has seen enough.
    process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1);
  });
  for await (const line of lines) if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}
