// Imported before what makes a logger: what functions log and meter is no figure of a bench.
Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_LOG_LEVEL: 'CRITICAL' });
