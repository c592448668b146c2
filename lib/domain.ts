import { DomainName, EndpointType, type IRestApi, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Tenant } from './tenant.ts';

type DomainProps = { readonly domain: NonNullable<Tenant['domain']>; readonly restApi: RestApi };

/** The tenant's own name of the API. Where its zone is not of this account, an output says what the name has to point at. */
export class Domain extends Construct {
  constructor(scope: Construct, id: string, { domain, restApi }: DomainProps) {
    super(scope, id);
    const name = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      // The library's own types disagree under exactOptionalPropertyTypes.
      mapping: restApi as IRestApi,
    });
    if (domain.hostedZone) {
      const { id: hostedZoneId, name: zoneName } = domain.hostedZone;
      new ARecord(this, 'Record', {
        zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName }),
        recordName: domain.name,
        target: RecordTarget.fromAlias(new ApiGatewayDomain(name)),
      });
    } else new CfnOutput(Stack.of(this), 'DomainTarget', { value: name.domainNameAliasDomainName });
  }
}
