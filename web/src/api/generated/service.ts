// Written by `npm run openapi` from the API description.

type Refused<Status extends number> = { [S in Status]: { content: { 'application/json': ErrorEnvelope } } };

type AccessDiagnosisBundle = { "chain": ({ "step": string; "status": "ok" | "broken" | "unknown" | "skipped"; "title": string; "detail"?: string; "evidence": { [key: string]: unknown } })[]; "connector": { [key: string]: unknown }; "effective_grants": ({ [key: string]: unknown })[]; "evidence": { [key: string]: unknown }; "matched_groups": ({ [key: string]: unknown })[]; "root_cause": ({ "step": string; "code": string; "message"?: string } | null); "subject": { [key: string]: unknown } };
type AccessRequestView = { "id": string; "workspace_id": string; "connector_id": string; "user_id": string; "role": "viewer" | "editor" | "admin"; "reason": string; "state": "pending" | "approved" | "denied"; "created_at": string; "decided_at": (string | null); "decided_by": (string | null); "granted_role": ("viewer" | "editor" | "admin" | null); "decision_reason": (string | null) };
type AgentArtifact = { "id": string; "tool_run_id": string; "workspace_id": string; "kind": AgentArtifactKind; "path": string; "content": string; "language": string; "metadata": { [key: string]: unknown }; "execution_log": ({ [key: string]: unknown })[]; "parent_artifact_id": (string | null); "step_id": (string | null); "preview_columns": (string)[]; "preview_rows": ({ [key: string]: unknown })[]; "status": "proposed" | "accepted" | "rejected" | "superseded"; "version": number; "created_at": string; "updated_at": string };
type AgentArtifactKind = "dbt_model" | "dbt_test" | "dbt_source_yml" | "dbt_project_file" | "sql" | "note" | "pipeline_review_evidence" | "pipeline_intent_evidence" | "pipeline_optimization_evidence" | "pipeline_cleanup_evidence" | "spark_job" | "spark_test" | "spark_notebook";
type AgentCheckResponse = { "id": string; "workspace_id": string; "name": string; "expectation": string; "enabled": boolean; "severity": "info" | "warning" | "critical"; "scope": { "include": (string)[]; "exclude": (string)[] }; "definition_version": number; "created_at": (string | null); "created_by": (string | null); "updated_at": (string | null); "updated_by": (string | null) };
type AgentCheckResult = { "id": string; "check_id": string; "definition_version": number; "state": "passed" | "failed" | "not_evaluated" | "error"; "severity": "info" | "warning" | "critical"; "evaluated_at": string; "since": string; "delivery_id": (string | null); "violations": ({ "relation_ref"?: string; "column"?: string; "message": string })[]; "violations_total": number };
type AgentContextResponse = { "user_id": string; "user_email": (string | null); "default_workspace_id": (string | null); "workspaces": ({ "id": string; "name": string; "role": "viewer" | "editor" | "admin"; "connectors": ({ "id": string; "name": string; "kind": "postgres" | "snowflake" | "bigquery" | "redshift" | "databricks" | "duckdb" | "trino" | "mysql" | "sqlserver" | "oracle" | "clickhouse" | "spark" | "athena" | "other"; "status": "active" | "error" | "paused" | "disabled" | "empty"; "last_error": (string | null); "last_sync_at": (string | null); "sample_tables": (string)[]; "schema_age_seconds": (number | null); "table_count": number })[] })[] };
type AppConfig = { "id": string; "workspace_id": string; "mode": "service" | "customer_owned"; "app_id": string; "app_slug": string; "codehost_base_url": string; "api_base_url": string; "status": "unvalidated" | "valid" | "invalid"; "client_id": (string | null); "created_at": (string | null); "created_by": (string | null); "last_error": (string | null); "last_validated_at": (string | null); "updated_at": (string | null); "webhook_configured": boolean; "webhook_path": string };
type ArtifactDiff = { "parent_artifact_id": (string | null); "unified": string; "lineage": ({ "reads": ((string)[] | null); "writes": (string | null); "columns_added": (string)[]; "columns_removed": (string)[]; "columns_changed": (string)[]; "unresolved_reason": (string | null) } | null); "changes": ({ "connector_id": string; "relation_ref": string; "is_in_graph": boolean; "unknown_reads": (string)[]; "grade": "safe" | "risky" | "breaking"; "summary": LineageDiffSummary; "relations": LineageDiffRelations; "edges": LineageDiffEdges; "columns": LineageDiffColumns; "precision": LineageDiffPrecision; "truncated": LineageDiffTruncated } | null); "changes_unknown": (string | null) };
type AttentionItem = { "id": string; "event_id": string; "kind": "access_request" | "agent_check" | "delivery"; "title": string; "href": string; "description": (string | null); "requester": (string | null); "timestamp": (string | null); "severity": "info" | "warning" | "critical" };
type CatalogReceipt = ({ "ok": true; "delivery_id": string; "status": "accepted"; "accepted": true; "duplicate": boolean; "item_count": number; "invalid_item_count": number; "dispatch_requested": boolean; "completeness": "partial" | "complete"; "scope_key": string; "observations": number; "edges_received": number; "unresolved": number } | { "ok": true; "accepted": false; "skipped": "provider_paused" | "provider_disabled" });
type CheckSettings = { "workspace_id": string; "on_breaking"?: "neutral" | "failure"; "repositories"?: CheckSettingsRepositories };
type CheckSettingsRepositories = ({ "repository": string; "connector_id": string; "project_id"?: (string | null); "project_path"?: string; "manifest_path"?: (string | null); "artifact_name"?: string; "match_by"?: "relation" | "model" })[];
type CollectionProjectItem = { "id": string; "workspace_id": string; "name": string; "environments": (string)[]; "origins": (string)[]; "created_at": string; "revoked_at": (string | null) };
type Coverage = { "feeds": ({ "provider_instance_id": string; "provider_type": string; "display_name": string; "connector_id": (string | null); "reason": "paused" | "disabled" | "error" | "silent"; "last_received_at": (string | null); "last_success_at": (string | null) })[]; "feeds_checked": number; "scopes": ({ "scope_key": string; "provider_type": string; "provider_instance_id": string; "last_complete_snapshot_at": (string | null) })[]; "suppressed": { "policy": number; "expired": number; "confidence": number }; "complete": boolean };
type CreatedToken = { "id": string; "name": string; "workspace_id": string; "scopes": ("read" | "write" | "admin")[]; "client_kind": "cli" | "ci" | "agent" | "service" | "other"; "created_at": string; "expires_at": string; "token": string };
type DatahubAcquisition = { "workspace_id": string; "connector_id": string; "completeness"?: "partial" | "complete"; "source_event_key"?: string; "force"?: boolean; "export": (DatahubAcquisitionExportLineage | { [key: string]: unknown }); "import_source"?: string };
type DatahubAcquisitionExportLineage = (unknown)[];
type DbtAcquisition = { "workspace_id": string; "connector_id": string; "completeness"?: "partial" | "complete"; "source_event_key"?: string; "force"?: boolean; "manifest": DbtAcquisitionManifest; "catalog"?: DbtAcquisitionCatalog; "project_id"?: string };
type DbtAcquisitionCatalog = { "nodes"?: unknown; "sources"?: unknown };
type DbtAcquisitionManifest = { "metadata"?: unknown; "nodes"?: unknown; "sources"?: unknown; "exposures"?: unknown };
type DeliveryPage = { "workspace_id": string; "items": (LineageDelivery)[]; "next_cursor": (string | null) };
type EdgeExplanation = { "workspace_id": string; "connector_id": string; "upstream": EdgeExplanationUpstream; "downstream": EdgeExplanationUpstream; "column_ref": (string | null); "column_unresolved_reason": ("unknown_column" | null); "found": boolean; "status": ("active" | "stale" | null); "confidence": number; "evidence": (ExplainedEvidence)[]; "truncated": boolean; "cost": { "read_units": number; "requests": number }; "as_of": string };
type EdgeExplanationUpstream = { "relation_ref": string; "lineage_resolution": LineageResolution };
type ErrorEnvelope = { "detail": { "code": string; "message": string; "request_id": string; "hint"?: (string | null); "errors"?: ({ "path": string; "message": string })[]; "candidates"?: ({ "connector_id": (string | null); "connector_name": (string | null); "relation_ref": string; "upstream_count": number; "downstream_count": number })[] } };
type ExplainedEvidence = { "provider_type": string; "provider_instance_id": string; "scope_key": string; "observed_at": string; "disposition": string; "why": { "message": string; "connector_id": (string | null); "policy_revision": (number | null); "rule": (string | null) }; "weight": number; "named_as": { "upstream": string; "downstream": string }; "producer": ({ "namespace": string; "name": string } | null); "statement_kind": ("create_table_as" | "create_view" | "create_materialized_view" | "insert" | "insert_overwrite" | "merge" | "update" | "delete" | "copy" | "select_into" | "other" | null); "principal": (string | null); "engine": (string | null); "delivery": ({ "delivery_id": string; "kind": "openlineage_event" | "openlineage_batch" | "dbt_manifest" | "sqlmesh_project" | "datahub_catalog"; "received_at": string; "payload": { "href": string; "item_index": (number | null); "pointer": string; "unread_reason": (string | null) } } | null); "delivery_missing_reason": ("receipt_not_kept" | "statement_not_kept" | null); "said_by": ({ "kind": "sql" | "facet" | "inputs_and_outputs" | "declared_dependency" | "catalog_entry"; "name": (string | null); "pointer": string })[]; "sql": ({ "text": string; "truncated": boolean; "pointer": string } | null); "columns": ({ "upstream": string; "downstream": (string | null); "type": "DIRECT" | "INDIRECT"; "subtype": (string | null); "masking": boolean; "change": ("passthrough" | "renamed" | "derived" | "aggregated" | null); "expression": (string | null) })[]; "columns_unresolved": ({ "column": (string | null); "reason": string })[] };
type FusionWeights = { "declared": number; "openlineage": number; "catalog": number; "query_log": number };
type Gap = { "id": string; "gap_type": "silent_provider" | "backlog" | "unresolved_assets" | "quarantined_items" | "outdated_normalizer" | "snapshot_shrank" | "unowned_namespace"; "status": "open" | "resolved" | "ignored"; "opened_at": string; "resolved_at": (string | null); "details": GapDetails };
type GapDetails = { "cadence": (number | null); "last_receipt": (string | null); "backlog": number; "normalizer_version": (string | null); "reason": string; "namespaces"?: ({ "namespace": string; "datasets": number })[]; "command"?: string; "unresolved"?: LineageDeliveryUnresolved };
type ImpactAnswer = { "workspace_id": string; "connector_id": string; "graph_found": boolean; "has_lineage": boolean; "root": { "relation_ref": string; "connector_id": (string | null) }; "upstream": ImpactAnswerUpstream; "downstream": ImpactAnswerUpstream; "edges": ({ "upstream": string; "downstream": string; "status": "active" | "stale"; "dispositions": (string)[]; "confidence": number; "columns": ({ "upstream": string; "downstream": (string | null); "type": "DIRECT" | "INDIRECT"; "subtype": (string | null); "masking"?: true; "change": ("passthrough" | "renamed" | "derived" | "aggregated" | null); "expression": (string | null) })[]; "evidence": ({ "provider_type": string; "provider_instance_id": string; "scope_key": string; "observed_at": string; "disposition": string; "columns_unresolved_reason": (string | null) })[] })[]; "truncated": { "any": boolean; "by_depth": boolean; "by_nodes": boolean; "by_bytes": boolean; "unexplored": number }; "limits": { "max_depth": number; "max_nodes": number }; "blast_radius": { "relations": number; "columns": number; "by_depth": (number)[]; "by_schema": { [key: string]: number }; "max_depth_reached": number; "stale_edges": number }; "precision": { "requested": "table" | "column"; "delivered": "table" | "column" | "mixed" | "none"; "reasons": ({ "relation_ref": string; "reason": string })[] }; "column_lineage": { "roots": (string)[]; "paths": ({ "upstream": { "relation_ref": string; "column": string }; "downstream": { "relation_ref": string; "column": (string | null) }; "type": "DIRECT" | "INDIRECT"; "subtype": (string | null); "masking"?: true; "change": ("passthrough" | "renamed" | "derived" | "aggregated" | null); "expression": (string | null) })[]; "unresolved": ({ "relation_ref": string; "column"?: (string | null); "reason": string })[] }; "lineage_resolution": LineageResolution; "coverage": Coverage; "cost": { "read_units": number; "requests": number }; "as_of": string };
type ImpactAnswerUpstream = ({ "relation_ref": string; "connector_id": (string | null); "depth": number; "kind": string; "columns": (string)[]; "via": (string)[]; "confidence": number })[];
type Installation = { "id": string; "workspace_id": string; "installation_id": string; "status": "unverified" | "active" | "suspended" | "deleted"; "created_at": string; "updated_at": string; "account_login": (string | null); "account_type": (string | null); "api_base_url": (string | null); "app_id": (string | null); "app_slug": (string | null); "deleted_at": (string | null); "codehost_app_config_id": (string | null); "codehost_base_url": (string | null); "html_url": (string | null); "installed_by": (string | null); "last_error": (string | null); "permissions": { [key: string]: string }; "missing_permissions": (string)[]; "repository_selection": (string | null); "suspended_at": (string | null); "target_id": (string | null); "target_type": (string | null) };
type LineageDelivery = { "delivery_id": string; "workspace_id": string; "connector_id": (string | null); "provider_instance_id": string; "kind": "openlineage_event" | "openlineage_batch" | "dbt_manifest" | "sqlmesh_project" | "datahub_catalog"; "state": "accepted" | "processing" | "projected" | "partially_projected" | "quarantined" | "failed" | "superseded" | "held"; "duplicate_count": number; "received_at": string; "completed_at": (string | null); "attempts": number; "item_count": number; "invalid_item_count": number; "projected_item_count": number; "quarantined": ({ "index": number; "code": string; "message": string })[]; "warnings": ({ "code": string; "message": string })[]; "failure": ({ "code": string; "message": string } | null); "scope_key": (string | null); "completeness": ("partial" | "complete" | null); "retracted_evidence_count": number; "unresolved": LineageDeliveryUnresolved; "ignored": ({ "reason": "too_old" | "overtaken"; "count": number; "advice": string })[]; "only_unowned": boolean };
type LineageDeliveryReceipt = { "delivery_id": string; "state": "accepted"; "duplicate": boolean; "item_count": number; "invalid_item_count": number };
type LineageDeliveryUnresolved = ({ "reason": string; "count": number; "assets": (string)[]; "assets_left_out": number; "resolved": boolean; "advice": string })[];
type LineageDiff = { "workspace_id": string; "connector_id": string; "from": LineageDiffFrom; "to": LineageDiffFrom; "grade": "safe" | "risky" | "breaking"; "summary": LineageDiffSummary; "relations": LineageDiffRelations; "edges": LineageDiffEdges; "columns": LineageDiffColumns; "precision": LineageDiffPrecision; "truncated": LineageDiffTruncated; "next_cursor": (string | null); "cost": { "read_units": number; "requests": number } };
type LineageDiffColumns = ({ "change": "added" | "removed" | "changed"; "relation_ref": string; "column": string; "before": LineageDiffColumnsItemBefore; "after": LineageDiffColumnsItemBefore; "grade": "safe" | "risky" | "breaking"; "breaks": LineageDiffRelationsItemBreaks; "unexplored": number; "walked": boolean })[];
type LineageDiffColumnsItemBefore = (({ "relation_ref": string; "column": string; "type": "DIRECT" | "INDIRECT"; "subtype": (string | null) })[] | null);
type LineageDiffEdges = ({ "change": "added" | "removed" | "changed"; "upstream": string; "downstream": string; "columns_added": LineageDiffEdgesItemColumnsAdded; "columns_removed": LineageDiffEdgesItemColumnsAdded })[];
type LineageDiffEdgesItemColumnsAdded = ({ "upstream": string; "downstream": (string | null); "type": "DIRECT" | "INDIRECT"; "subtype": (string | null) })[];
type LineageDiffFrom = { "kind": "moment" | "scope" | "document"; "as_of": (string | null); "scope_key": (string | null); "last_complete_snapshot_at": (string | null); "found": boolean };
type LineageDiffPrecision = { "reasons": ({ "relation_ref": string; "reason": string })[] };
type LineageDiffRelations = ({ "change": "added" | "removed" | "changed"; "relation_ref": string; "kind": string; "reasons": ("no_longer_made" | "no_longer_read" | "inputs_changed" | "columns_changed" | "influences_changed" | "columns_unknown")[]; "grade": "safe" | "risky" | "breaking"; "breaks": LineageDiffRelationsItemBreaks; "unexplored": number; "walked": boolean })[];
type LineageDiffRelationsItemBreaks = ({ "relation_ref": string; "kind": string; "depth": number; "columns": (string)[]; "via": (string)[]; "grade": "risky" | "breaking" })[];
type LineageDiffSummary = { "relations": { "added": number; "removed": number; "changed": number }; "edges": { "added": number; "removed": number; "changed": number }; "columns": { "added": number; "removed": number; "changed": number }; "grades": { "safe": number; "risky": number; "breaking": number } };
type LineageDiffTruncated = { "any": boolean; "by_requests": boolean; "by_bytes": boolean; "unlisted": number; "unwalked": number };
type LineagePolicy = { "workspace_id": string; "connector_id": string; "revision": number; "policy_hash": string; "created_at": (string | null); "created_by": (string | null); "filters": PolicyFilters; "fusion_weights": FusionWeights; "safe_defaults": PolicyFilters; "repair": { "repair_started": boolean; "state": "pending" | "running" | "done"; "evidence_total": number; "evidence_checked": number; "admitted": number; "suppressed": number; "updated_at": (string | null) } };
type LineageResolution = { "method": "exact" | "case_folded" | "default_qualified" | "unique_suffix" | "alias" | "unresolved"; "fallback_reason": (string | null); "candidates"?: (string)[] };
type ListAppConfigsResponseConfigs = (AppConfig)[];
type ListScopesResponseItemsItem = { "scope_key": string; "kind": "snapshots" | "design" | "runs"; "provider_type": string; "provider_instance_id": string; "last_observed_at": (string | null); "edges": number; "relations": number; "runs": (number | null); "counts_at_least": boolean; "forgotten_at": (string | null) };
type MemoryCandidate = { "id": string; "workspace_id": string; "approved_memory_id": (string | null); "confidence": number; "content": string; "created_at": string; "created_by": string; "dedupe_key": string; "evidence_count": number; "evidence_refs": { [key: string]: unknown }; "memory_type": "correction" | "definition" | "preference" | "caveat" | "semantic_correction"; "query_request_id": (string | null); "rationale": string; "review_after": (string | null); "reviewed_at": (string | null); "reviewed_by": (string | null); "scope": "personal" | "team" | "workspace"; "source": "user_feedback" | "query_success" | "query_repair" | "insight_feedback" | "dreaming" | "consolidation"; "status": "pending" | "approved" | "rejected" | "dismissed" | "superseded"; "supersedes_memory_id": (string | null); "tags": (string)[]; "target_key": (string | null); "target_type": (string | null); "title": string };
type MemoryPage = { "workspace_id": string; "items": (MemoryCandidate)[]; "next_cursor": (string | null) };
type PolicyFilters = { "schema_scope": PolicyFiltersSchemaScope; "principals": { "mode": "exclude" | "include"; "patterns": (string)[]; "unmatched": "admit" | "suppress" }; "statement_kinds": ("create_table_as" | "create_view" | "create_materialized_view" | "insert" | "insert_overwrite" | "merge" | "update" | "delete" | "copy" | "select_into" | "other")[]; "provider_rules": (({ "provider_type": string; "engines"?: (string)[]; "action": "include"; "schema_scope"?: PolicyFiltersSchemaScope } | { "provider_type": string; "engines"?: (string)[]; "action": "exclude" }))[] };
type PolicyFiltersSchemaScope = { "include": (string)[]; "exclude": (string)[] };
type PostOpenLineageBatchRequestChoice = ({ [key: string]: unknown })[];
type ProjectReceipt = ({ "ok": true; "delivery_id": string; "status": "accepted"; "accepted": true; "duplicate": boolean; "item_count": number; "invalid_item_count": number; "dispatch_requested": boolean; "completeness": "partial" | "complete"; "scope_key": string; "observations": number; "models": number; "nodes": number; "dependencies": number; "column_maps": number } | { "ok": true; "accepted": false; "skipped": "provider_paused" | "provider_disabled" });
type ProviderInstance = { "id": string; "connector_id": (string | null); "provider_type": string; "display_name": string; "status": "active" | "paused" | "disabled" | "error"; "capabilities": (string)[]; "last_event_at": (string | null); "last_received_at": (string | null); "last_accepted_at": (string | null); "last_processed_at": (string | null); "last_success_at": (string | null); "last_error_at": (string | null); "event_watermark": (string | null); "backlog_count": number; "oldest_backlog_at": (string | null); "invalid_item_count": number; "unresolved_asset_count": number; "open_gap_count": number };
type PutPolicyRequestFusionWeights = { "declared"?: number; "openlineage"?: number; "catalog"?: number; "query_log"?: number };
type RelationDetail = { "workspace_id": string; "relation_ref": string; "connector_id": (string | null); "kind": "relation" | "dataset" | "datahub" | "exposure"; "lineage_resolution": LineageResolution; "aliases": (string)[]; "columns": ({ "name": string; "type": (string | null); "described_by": (string)[] })[]; "columns_complete": boolean; "providers": ({ "provider_instance_id": string; "provider_type": string })[]; "first_observed_at": (string | null); "last_observed_at": (string | null); "upstream_count": number; "downstream_count": number; "truncated": boolean };
type RelationPage = { "workspace_id": string; "items": ({ "relation_ref": string; "connector_id": (string | null); "kind": "relation" | "dataset" | "datahub" | "exposure"; "columns_known": number; "last_observed_at": (string | null); "upstream_count": number; "downstream_count": number; "columns"?: (string)[] })[]; "candidates"?: (string)[]; "next_cursor": (string | null) };
type SqlmeshAcquisition = { "workspace_id": string; "connector_id": string; "completeness"?: "partial" | "complete"; "source_event_key"?: string; "force"?: boolean; "project": SqlmeshAcquisitionProject; "project_id"?: string };
type SqlmeshAcquisitionProject = { "schema"?: "service.sqlmesh-project@v1"; "project"?: unknown; "environment"?: string; "dialect"?: unknown; "models"?: (unknown)[]; "external_models"?: unknown };
type WebhookAttempt = { "at": string; "status": (number | null); "error": (string | null) };
type WebhookDelivery = { "id": string; "type": "delivery.failed" | "delivery.held" | "gap.opened" | "check.failed" | "diff.breaking" | "test"; "state": "pending" | "delivered" | "failed"; "occurred_at": string; "attempts": (WebhookAttempt)[]; "next_attempt_at": (string | null) };
type WebhookResponse = { "id": string; "workspace_id": string; "url": string; "events": ("delivery.failed" | "delivery.held" | "gap.opened" | "check.failed" | "diff.breaking")[]; "format": "json" | "slack"; "created_at": string; "created_by": string; "updated_at": string; "updated_by": string };
type WebhookSecretResponse = { "id": string; "workspace_id": string; "url": string; "events": ("delivery.failed" | "delivery.held" | "gap.opened" | "check.failed" | "diff.breaking")[]; "format": "json" | "slack"; "created_at": string; "created_by": string; "updated_at": string; "updated_by": string; "secret": (string | null) };

export interface paths {
  "/api/v1/lineage": {
    post: { parameters: { query?: { "workspace_id"?: string; "connector_id"?: string; "provider_key"?: string }; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": { [key: string]: unknown } } }; responses: { 202: { content: { "application/json": LineageDeliveryReceipt } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/api/v1/lineage/batch": {
    post: { parameters: { query?: { "workspace_id"?: string; "connector_id"?: string; "provider_key"?: string }; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": (PostOpenLineageBatchRequestChoice | { "events": PostOpenLineageBatchRequestChoice }) } }; responses: { 202: { content: { "application/json": LineageDeliveryReceipt } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/collect/openapi.json": {
    get: { parameters: { query?: never; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "openapi": string } } } } & Refused<400 | 413 | 429 | 500 | 502 | 503 | 504> };
  };
  "/docs": {
    get: { parameters: { query?: never; path?: never; header?: never; }; responses: { 200: { content: { "text/html; charset=utf-8": unknown } } } & Refused<400 | 413 | 429 | 500 | 502 | 503 | 504> };
  };
  "/health": {
    get: { parameters: { query?: never; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "status": "ok" | "degraded"; "version": string; "stores"?: ({ "name": "table" | "objects"; "status": "ok" | "down" })[] } } } } & Refused<400 | 413 | 429 | 500 | 502 | 503 | 504> };
  };
  "/mcp": {
    post: { parameters: { query?: never; path?: never; header?: { "accept"?: string; "mcp-protocol-version"?: string }; }; requestBody: { content: { "application/json": { [key: string]: unknown } } }; responses: { 200: { content: { "application/json": { [key: string]: unknown } } }; 202: { content?: never } } & Refused<400 | 401 | 403 | 406 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/openapi.json": {
    get: { parameters: { query?: never; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "openapi": string } } } } & Refused<400 | 413 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/access/attention": {
    get: { parameters: { query: { "workspace_id": string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (AttentionItem)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/access/diagnosis": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "connector_id": string; "action": "read" | "write" | "admin"; "user_id"?: string } } }; responses: { 200: { content: { "application/json": AccessDiagnosisBundle } } } & Refused<400 | 401 | 403 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/access/requests": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "connector_id": string; "role": "viewer" | "editor" | "admin"; "reason": string } } }; responses: { 201: { content: { "application/json": AccessRequestView } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    get: { parameters: { query: { "workspace_id": string; "state"?: "pending" | "approved" | "denied"; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (AccessRequestView)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/access/requests/{access_request_id}/approve": {
    post: { parameters: { query: { "workspace_id": string }; path: { "access_request_id": string }; header?: never; }; requestBody: { content: { "application/json": { "role"?: ("viewer" | "editor" | "admin" | null) } } }; responses: { 200: { content: { "application/json": AccessRequestView } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/access/requests/{access_request_id}/deny": {
    post: { parameters: { query: { "workspace_id": string }; path: { "access_request_id": string }; header?: never; }; requestBody: { content: { "application/json": { "reason"?: (string | null) } } }; responses: { 200: { content: { "application/json": AccessRequestView } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/artifacts": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "tool_run_id": string; "kind": AgentArtifactKind; "path": string; "content": string; "language"?: string; "metadata"?: { [key: string]: unknown }; "execution_log"?: ({ [key: string]: unknown })[]; "step_id"?: (string | null); "preview_columns"?: (string)[]; "preview_rows"?: ({ [key: string]: unknown })[]; "status"?: "proposed" | "accepted" } } }; responses: { 201: { content: { "application/json": AgentArtifact } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    get: { parameters: { query: { "workspace_id": string; "kind"?: AgentArtifactKind; "status"?: "proposed" | "accepted" | "rejected" | "superseded"; "path"?: string; "tool_run_id"?: string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (AgentArtifact)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/artifacts/{artifact_id}": {
    get: { parameters: { query: { "workspace_id": string }; path: { "artifact_id": string }; header?: never; }; responses: { 200: { content: { "application/json": AgentArtifact } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    patch: { parameters: { query?: never; path: { "artifact_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "status": "proposed" | "accepted" | "rejected" | "superseded" } } }; responses: { 200: { content: { "application/json": AgentArtifact } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/artifacts/{artifact_id}/diff": {
    get: { parameters: { query: { "workspace_id": string; "connector_id"?: string }; path: { "artifact_id": string }; header?: never; }; responses: { 200: { content: { "application/json": ArtifactDiff } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/authorize": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "code_challenge": string; "code_challenge_method"?: "S256"; "redirect_uri": string; "device_id": string; "device_name": string; "client_id"?: (string | null); "client_name"?: string; "client_version"?: (string | null); "platform"?: (string | null); "resource"?: (string | null); "scope"?: (string | null) } } }; responses: { 200: { content: { "application/json": { "code": string; "expires_in": number } } } } & Refused<400 | 401 | 403 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/checks": {
    get: { parameters: { query: { "workspace_id": string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "agent_checks": (AgentCheckResponse)[]; "max_enabled": number } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "name": string; "expectation": string; "enabled"?: boolean; "severity"?: "info" | "warning" | "critical"; "scope"?: { "include"?: (string)[]; "exclude"?: (string)[] } } } }; responses: { 201: { content: { "application/json": AgentCheckResponse } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/checks/{check_id}": {
    patch: { parameters: { query?: never; path: { "check_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "name"?: (string | null); "expectation"?: (string | null); "enabled"?: (boolean | null); "severity"?: ("info" | "warning" | "critical" | null); "scope"?: ({ "include"?: (string)[]; "exclude"?: (string)[] } | null) } } }; responses: { 200: { content: { "application/json": AgentCheckResponse } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    delete: { parameters: { query: { "workspace_id": string }; path: { "check_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/checks/{check_id}/accept": {
    post: { parameters: { query?: never; path: { "check_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string } } }; responses: { 200: { content: { "application/json": AgentCheckResponse } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/checks/{check_id}/results": {
    get: { parameters: { query: { "workspace_id": string; "limit"?: number; "cursor"?: string }; path: { "check_id": string }; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (AgentCheckResult)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/checks/{check_id}/run": {
    post: { parameters: { query?: never; path: { "check_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string } } }; responses: { 200: { content: { "application/json": AgentCheckResult } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/context": {
    get: { parameters: { query?: never; path?: never; header?: never; }; responses: { 200: { content: { "application/json": AgentContextResponse } } } & Refused<400 | 401 | 403 | 413 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory": {
    get: { parameters: { query: { "workspace_id": string; "target_type"?: string; "target_key"?: string; "q"?: string; "scope"?: "personal" | "team" | "workspace"; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": MemoryPage } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory/candidates": {
    get: { parameters: { query: { "workspace_id": string; "status"?: "pending" | "approved" | "rejected" | "dismissed" | "superseded"; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": MemoryPage } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory/candidates/generate": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "correction_text"?: (string | null); "limit"?: number; "query_request_id"?: (string | null) } } }; responses: { 200: { content: { "application/json": MemoryPage } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory/candidates/{candidate_id}/approve": {
    post: { parameters: { query: { "workspace_id": string }; path: { "candidate_id": string }; header?: never; }; requestBody: { content: { "application/json": { "content"?: (string | null); "memory_type"?: ("correction" | "definition" | "preference" | "caveat" | "semantic_correction" | null); "scope"?: ("personal" | "team" | "workspace" | null); "tags"?: ((string)[] | null); "target_key"?: (string | null); "target_type"?: (string | null); "title"?: (string | null) } } }; responses: { 200: { content: { "application/json": MemoryCandidate } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory/candidates/{candidate_id}/dismiss": {
    post: { parameters: { query: { "workspace_id": string }; path: { "candidate_id": string }; header?: never; }; responses: { 200: { content: { "application/json": MemoryCandidate } } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory/candidates/{candidate_id}/reject": {
    post: { parameters: { query: { "workspace_id": string }; path: { "candidate_id": string }; header?: never; }; responses: { 200: { content: { "application/json": MemoryCandidate } } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/memory/{memory_id}/supersede": {
    post: { parameters: { query?: never; path: { "memory_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string } } }; responses: { 200: { content: { "application/json": MemoryCandidate } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/agent/token": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "code": string; "code_verifier": string; "redirect_uri": string; "device_id": string; "resource"?: (string | null) } } }; responses: { 200: { content: { "application/json": CreatedToken } } } & Refused<400 | 403 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/auth/sign-in": {
    get: { parameters: { query?: never; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "discovery_url": string; "client_id": string } } } } & Refused<400 | 413 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/auth/tokens": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "name": string; "expires_in_days": number; "scopes": ("read" | "write" | "admin")[]; "client_kind"?: "cli" | "ci" | "agent" | "service" | "other" } } }; responses: { 201: { content: { "application/json": CreatedToken } } } & Refused<400 | 401 | 403 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    get: { parameters: { query: { "workspace_id": string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": ({ "id": string; "name": string; "workspace_id": string; "scopes": ("read" | "write" | "admin")[]; "client_kind": "cli" | "ci" | "agent" | "service" | "other"; "created_at": string; "expires_at": string; "created_by": string; "device": ({ "device_id": string; "device_name": string; "client_id": (string | null); "client_name": string; "client_version": (string | null); "platform": (string | null); "resource": (string | null) } | null); "last_used_at": (string | null); "revoked_at": (string | null) })[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/auth/tokens/{token_id}": {
    delete: { parameters: { query: { "workspace_id": string }; path: { "token_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/app-configs": {
    get: { parameters: { query: { "workspace_id": string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "configs": ListAppConfigsResponseConfigs; "configured": boolean } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    put: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "app_id": string; "app_slug": string; "private_key": string; "api_base_url"?: (string | null); "client_id"?: (string | null); "client_secret"?: (string | null); "config_id"?: (string | null); "codehost_base_url"?: (string | null); "webhook_secret"?: (string | null) } } }; responses: { 200: { content: { "application/json": AppConfig } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    delete: { parameters: { query: { "workspace_id": string; "config_id"?: string }; path?: never; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/app-configs/validate": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "app_id"?: (string | null); "app_slug"?: (string | null); "private_key"?: (string | null); "api_base_url"?: (string | null); "client_id"?: (string | null); "client_secret"?: (string | null); "config_id"?: (string | null); "codehost_base_url"?: (string | null); "webhook_secret"?: (string | null) } } }; responses: { 200: { content: { "application/json": { "valid": boolean; "app_id": (string | null); "app_slug": (string | null); "config": (AppConfig | null); "message": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/app-configs/{config_id}": {
    delete: { parameters: { query: { "workspace_id": string }; path: { "config_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/check-settings": {
    get: { parameters: { query: { "workspace_id": string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": CheckSettings } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    put: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "on_breaking"?: "neutral" | "failure"; "repositories"?: CheckSettingsRepositories } } }; responses: { 200: { content: { "application/json": CheckSettings } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/installations": {
    get: { parameters: { query: { "workspace_id": string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "app_slug": (string | null); "configs": ListAppConfigsResponseConfigs; "configured": boolean; "installations": (Installation)[] } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "installation_id": string; "codehost_app_config_id"?: (string | null) } } }; responses: { 201: { content: { "application/json": Installation } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    delete: { parameters: { query: { "workspace_id": string; "installation_id": string }; path?: never; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/installations/callback": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "installation_id": string; "codehost_app_config_id"?: (string | null); "state"?: (string | null); "code"?: (string | null); "setup_action"?: (string | null) } } }; responses: { 200: { content: { "application/json": Installation } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/installations/start": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "state": string; "codehost_app_config_id"?: (string | null) } } }; responses: { 200: { content: { "application/json": { "workspace_id": string; "mode": "service" | "customer_owned"; "app_slug": string; "install_url": string; "codehost_app_config_id": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/installations/{installation_id}": {
    delete: { parameters: { query: { "workspace_id": string }; path: { "installation_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/manifests": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "connector_id": string; "repository": string; "commit_sha": string; "pull_request": number; "manifest"?: { [key: string]: unknown }; "upload_id"?: string; "project_id"?: (string | null) } } }; responses: { 202: { content: { "application/json": { "workspace_id": string; "connector_id": string; "repository": string; "commit_sha": string; "pull_request": number; "received_at": string } } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/codehost/webhooks/{config_id}": {
    post: { parameters: { query?: never; path: { "config_id": string }; header?: { "x-hub-signature-256"?: string; "x-github-event"?: string; "x-github-delivery"?: string }; }; requestBody: { content: { "application/json": unknown } }; responses: { 202: { content: { "application/json": { "delivery_id": string; "duplicate": boolean } } } } & Refused<400 | 401 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/collection-projects": {
    get: { parameters: { query: { "workspace_id": string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": ({ "id": string; "workspace_id": string; "name": string; "environments": (string)[]; "origins": (string)[]; "created_at": string; "revoked_at": (string | null); "project_keys": ({ "id": string; "name": string; "created_at": string; "revoked_at": (string | null); "environment": string; "rate": ({ "per_second": number; "burst": number } | null) })[]; "server_keys": ({ "id": string; "name": string; "created_at": string; "revoked_at": (string | null) })[] })[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "name": string; "environments": (string)[]; "origins"?: (string)[] } } }; responses: { 201: { content: { "application/json": CollectionProjectItem } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/collection-projects/{collection_project_id}/counts": {
    get: { parameters: { query: { "workspace_id": string; "days"?: number }; path: { "collection_project_id": string }; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "collection_project_id": string; "items": ({ "date": string; "accepted": number; "repeated": number; "rejected": { [key: string]: number } })[] } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/collection-projects/{collection_project_id}/keys": {
    post: { parameters: { query?: never; path: { "collection_project_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "name": string; "environment": string } } }; responses: { 201: { content: { "application/json": { "id": string; "name": string; "created_at": string; "revoked_at": (string | null); "environment": string; "rate": ({ "per_second": number; "burst": number } | null); "key": string } } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/collection-projects/{collection_project_id}/keys/{project_key_id}": {
    delete: { parameters: { query: { "workspace_id": string }; path: { "collection_project_id": string; "project_key_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/collection-projects/{collection_project_id}/origins": {
    post: { parameters: { query?: never; path: { "collection_project_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "origin": string } } }; responses: { 201: { content: { "application/json": CollectionProjectItem } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    delete: { parameters: { query: { "workspace_id": string; "origin": string }; path: { "collection_project_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/connectors": {
    get: { parameters: { query: { "workspace_id": string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": ({ "id": string; "workspace_id": string; "kind": "postgres" | "snowflake" | "bigquery" | "redshift" | "databricks" | "duckdb" | "trino" | "mysql" | "sqlserver" | "oracle" | "clickhouse" | "spark" | "athena" | "other"; "name": string; "namespaces": (string)[]; "default_database": (string | null); "default_schema": (string | null) })[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/connectors/{connector_id}/lineage-policy": {
    get: { parameters: { query: { "workspace_id": string }; path: { "connector_id": string }; header?: never; }; responses: { 200: { content: { "application/json": LineagePolicy } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    put: { parameters: { query?: never; path: { "connector_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "filters": PolicyFilters; "fusion_weights"?: PutPolicyRequestFusionWeights; "expected_revision"?: number } } }; responses: { 200: { content: { "application/json": LineagePolicy } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/connectors/{connector_id}/lineage-policy/preview": {
    post: { parameters: { query?: never; path: { "connector_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "filters": PolicyFilters; "fusion_weights"?: PutPolicyRequestFusionWeights; "cursor"?: string } } }; responses: { 200: { content: { "application/json": { "workspace_id": string; "connector_id": string; "revision": number; "edges_compared": number; "hidden": number; "shown": number; "weighed": number; "items": ({ "change": "hidden" | "shown" | "weighed"; "upstream": string; "downstream": string; "before": { "status": "active" | "stale"; "confidence": number }; "after": { "status": "active" | "stale"; "confidence": number }; "dispositions": (string)[] })[]; "unlisted": number; "next_cursor": (string | null); "cost": { "read_units": number; "requests": number } } } } } & Refused<400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/connectors/{connector_id}/lineage-policy/revisions": {
    get: { parameters: { query: { "workspace_id": string; "limit"?: number; "cursor"?: string }; path: { "connector_id": string }; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "connector_id": string; "items": ({ "revision": number; "policy_hash": string; "created_at": (string | null); "created_by": (string | null); "filters": PolicyFilters; "fusion_weights": FusionWeights })[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/datahub": {
    post: { parameters: { query?: never; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": DatahubAcquisition } }; responses: { 202: { content: { "application/json": CatalogReceipt } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/dbt/manifest": {
    post: { parameters: { query?: never; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": DbtAcquisition } }; responses: { 202: { content: { "application/json": ProjectReceipt } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/deliveries": {
    get: { parameters: { query: { "workspace_id": string; "state"?: "accepted" | "processing" | "projected" | "partially_projected" | "quarantined" | "failed" | "superseded" | "held"; "connector_id"?: string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": DeliveryPage } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/deliveries/{delivery_id}": {
    get: { parameters: { query: { "workspace_id": string }; path: { "delivery_id": string }; header?: never; }; responses: { 200: { content: { "application/json": LineageDelivery } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/deliveries/{delivery_id}/payload": {
    get: { parameters: { query: { "workspace_id": string }; path: { "delivery_id": string }; header?: never; }; responses: { 200: { content: { "application/json": unknown } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/deliveries/{delivery_id}/release": {
    post: { parameters: { query: { "workspace_id": string }; path: { "delivery_id": string }; header?: never; }; responses: { 200: { content: { "application/json": LineageDelivery } } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/deliveries/{delivery_id}/retry": {
    post: { parameters: { query: { "workspace_id": string }; path: { "delivery_id": string }; header?: never; }; responses: { 200: { content: { "application/json": LineageDelivery } } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/diff": {
    get: { parameters: { query: { "workspace_id": string; "connector_id": string; "from": string; "to"?: string; "max_depth"?: number; "max_nodes"?: number; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": LineageDiff } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "connector_id": string; "manifest"?: DbtAcquisitionManifest; "catalog"?: DbtAcquisitionCatalog; "project"?: SqlmeshAcquisitionProject; "project_id"?: string; "environment"?: string; "match_by"?: "relation" | "model"; "max_depth"?: number; "max_nodes"?: number } } }; responses: { 200: { content: { "application/json": LineageDiff } } } & Refused<400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/edges/explain": {
    get: { parameters: { query: { "workspace_id": string; "connector_id"?: string; "upstream": string; "downstream": string; "column_ref"?: string; "as_of"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": EdgeExplanation } } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/export": {
    get: { parameters: { query: { "workspace_id": string; "format"?: "openlineage"; "output"?: "json" | "ndjson"; "connector_id"?: string; "cursor"?: string; "limit"?: number; "profile"?: "job" | "run" }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "format": "openlineage"; "as_of": string; "events": ({ [key: string]: unknown })[]; "next_cursor": (string | null); "truncated": boolean; "skipped_edges": number }; "application/x-ndjson": unknown } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/impact": {
    get: { parameters: { query: { "workspace_id": string; "connector_id": string; "relation_ref": string; "column_ref"?: (string | (string)[]); "direction"?: "upstream" | "downstream" | "both"; "max_depth"?: number; "max_nodes"?: number; "as_of"?: string; "include_stale"?: boolean; "min_confidence"?: number; "influence"?: "direct" | "all" }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": ImpactAnswer } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/providers": {
    get: { parameters: { query: { "workspace_id": string; "connector_id"?: string; "status"?: "active" | "paused" | "disabled" | "error"; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (ProviderInstance)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/providers/{provider_instance_id}": {
    get: { parameters: { query: { "workspace_id": string }; path: { "provider_instance_id": string }; header?: never; }; responses: { 200: { content: { "application/json": ProviderInstance } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    patch: { parameters: { query?: never; path: { "provider_instance_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "status": "active" | "paused" | "disabled" } } }; responses: { 200: { content: { "application/json": ProviderInstance } } } & Refused<400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/providers/{provider_instance_id}/gaps": {
    get: { parameters: { query: { "workspace_id": string; "status"?: "open" | "resolved" | "ignored"; "gap_type"?: string; "limit"?: number; "cursor"?: string }; path: { "provider_instance_id": string }; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "provider_instance_id": string; "items": (Gap)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/providers/{provider_instance_id}/gaps/{gap_id}": {
    patch: { parameters: { query?: never; path: { "provider_instance_id": string; "gap_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "status": "open" | "ignored" } } }; responses: { 200: { content: { "application/json": Gap } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/relation": {
    get: { parameters: { query: { "workspace_id": string; "connector_id"?: string; "relation_ref": string; "as_of"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": RelationDetail } } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/relations": {
    get: { parameters: { query: { "workspace_id": string; "connector_id"?: string; "q"?: string; "in"?: "relations" | "columns"; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": RelationPage } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/scopes": {
    get: { parameters: { query: { "workspace_id": string; "connector_id"?: string; "q"?: string; "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (ListScopesResponseItemsItem)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/scopes/forget": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "scope_key": string; "dry_run"?: boolean } } }; responses: { 200: { content: { "application/json": { "workspace_id": string; "dry_run": boolean; "already_forgotten": boolean; "scope": ListScopesResponseItemsItem } } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/lineage/sqlmesh/project": {
    post: { parameters: { query?: never; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": SqlmeshAcquisition } }; responses: { 202: { content: { "application/json": ProjectReceipt } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/linked-projects": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "project_id": string } } }; responses: { 201: { content: { "application/json": { "workspace_id": string; "project_id": string; "created_at": string } } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/pipelines/dbt/manifest": {
    post: { parameters: { query?: never; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": DbtAcquisition } }; responses: { 202: { content: { "application/json": ProjectReceipt } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/pipelines/sqlmesh/project": {
    post: { parameters: { query?: never; path?: never; header?: { "idempotency-key"?: string }; }; requestBody: { content: { "application/json": SqlmeshAcquisition } }; responses: { 202: { content: { "application/json": ProjectReceipt } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/uploads": {
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": ({ "workspace_id": string; "content_length": number; "sha256": string; "kind": "openlineage_event" | "openlineage_batch"; "idempotency_key"?: string; "connector_id"?: string; "provider_key"?: string } | { "workspace_id": string; "content_length": number; "sha256": string; "kind": "dbt_manifest" | "sqlmesh_project" | "datahub_catalog"; "idempotency_key"?: string; "content_encoding"?: "gzip" }) } }; responses: { 201: { content: { "application/json": { "upload_id": string; "workspace_id": string; "method": "PUT"; "url": string; "headers": { [key: string]: string }; "expires_at": string; "complete_before": string } } } } & Refused<400 | 401 | 403 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/uploads/{upload_id}/complete": {
    post: { parameters: { query?: never; path: { "upload_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string } } }; responses: { 202: { content: { "application/json": (LineageDeliveryReceipt | CatalogReceipt | ProjectReceipt) } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/webhooks": {
    get: { parameters: { query: { "workspace_id": string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (WebhookResponse)[]; "next_cursor": null } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
    post: { parameters: { query?: never; path?: never; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "url": string; "events": ("delivery.failed" | "delivery.held" | "gap.opened" | "check.failed" | "diff.breaking")[]; "format"?: "json" | "slack" } } }; responses: { 201: { content: { "application/json": WebhookSecretResponse } } } & Refused<400 | 401 | 403 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/webhooks/{webhook_id}": {
    patch: { parameters: { query?: never; path: { "webhook_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string; "url"?: (string | null); "events"?: (("delivery.failed" | "delivery.held" | "gap.opened" | "check.failed" | "diff.breaking")[] | null); "format"?: ("json" | "slack" | null); "rotate_secret"?: boolean } } }; responses: { 200: { content: { "application/json": WebhookSecretResponse } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
    delete: { parameters: { query: { "workspace_id": string }; path: { "webhook_id": string }; header?: never; }; responses: { 204: { content?: never } } & Refused<400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/webhooks/{webhook_id}/deliveries": {
    get: { parameters: { query: { "workspace_id": string; "state"?: "pending" | "delivered" | "failed"; "limit"?: number; "cursor"?: string }; path: { "webhook_id": string }; header?: never; }; responses: { 200: { content: { "application/json": { "workspace_id": string; "items": (WebhookDelivery)[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 404 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/webhooks/{webhook_id}/deliveries/{notification_id}/retry": {
    post: { parameters: { query?: never; path: { "webhook_id": string; "notification_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string } } }; responses: { 202: { content: { "application/json": WebhookDelivery } } } & Refused<400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/webhooks/{webhook_id}/test": {
    post: { parameters: { query?: never; path: { "webhook_id": string }; header?: never; }; requestBody: { content: { "application/json": { "workspace_id": string } } }; responses: { 200: { content: { "application/json": { "delivered": boolean; "attempt": WebhookAttempt } } } } & Refused<400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
  "/v1/workspaces": {
    get: { parameters: { query?: { "limit"?: number; "cursor"?: string }; path?: never; header?: never; }; responses: { 200: { content: { "application/json": { "items": ({ "id": string; "name": string; "role": "viewer" | "editor" | "admin" })[]; "next_cursor": (string | null) } } } } & Refused<400 | 401 | 403 | 413 | 422 | 429 | 500 | 502 | 503 | 504> };
  };
}
