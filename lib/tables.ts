import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableClass,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

export const indexNames = ['gsi1', 'gsi2'] as const;

/** Units a second that an on-demand table takes when it is new; it cannot be warmed for fewer. */
export const newTable = { reads: 12_000, writes: 4_000 } as const;

type Units = { readonly reads: number; readonly writes: number };
type TablesProps = {
  readonly isProtected: boolean;
  readonly key: IKey | undefined;
  /** Whether the ledger can be restored to a point in time, as the main table always can. */
  readonly ledgerRecovery: boolean;
  /** What each is warmed for. */
  readonly warm?: { readonly main?: Units | undefined; readonly eventLedger?: Units | undefined };
};

const recovered = (isRecovered: boolean) => ({
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isRecovered },
});

const keeping = ({ isProtected, key }: TablesProps) => ({
  billingMode: BillingMode.PAY_PER_REQUEST,
  timeToLiveAttribute: 'ttl',
  removalPolicy: RemovalPolicy.RETAIN,
  deletionProtection: isProtected,
  ...(key && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
});

const warmed = (units: Units | undefined) =>
  units && { warmThroughput: { readUnitsPerSecond: units.reads, writeUnitsPerSecond: units.writes } };

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The service's items, and the ledger that claims each event id once. */
export class Tables extends Construct {
  readonly main: Table;
  readonly eventLedger: Table;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const retained = keeping(props);
    const [main, eventLedger] = [warmed(props.warm?.main), warmed(props.warm?.eventLedger)];
    this.main = new Table(this, 'Main', {
      ...retained,
      ...recovered(true),
      ...main,
      partitionKey: text('pk'),
      sortKey: text('sk'),
    });
    for (const index of indexNames)
      this.main.addGlobalSecondaryIndex({
        indexName: index,
        partitionKey: text(`${index}pk`),
        sortKey: text(`${index}sk`),
        projectionType: ProjectionType.ALL,
        ...main,
      });
    // Its own table: its millions of tiny claims are counted, tuned and deleted apart from everything else. A claim is
    // written once and kept for 400 days: the class with dearer writes and cheaper storage costs less in all.
    this.eventLedger = new Table(this, 'EventLedger', {
      ...retained,
      ...recovered(props.ledgerRecovery),
      ...eventLedger,
      tableClass: TableClass.STANDARD_INFREQUENT_ACCESS,
      partitionKey: text('pk'),
    });
    if (!props.ledgerRecovery)
      acknowledge(this.eventLedger, {
        'AwsSolutions-DDB3':
          'The rows are in the lake. Without its claims, events that are sent again are stored again.',
      });
  }
}
