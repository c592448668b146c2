// Written by scripts/build-openlineage-validators.ts from ../schemas.
import { formats } from '../formats.ts';
"use strict";
export const isRunEvent = validate54;
const schema32 = {"allOf":[{"$ref":"#/$defs/BaseEvent"},{"type":"object","properties":{"eventType":{"description":"the current transition of the run state. It is required to issue 1 START event and 1 of [ COMPLETE, ABORT, FAIL ] event per run. Additional events with OTHER eventType can be added to the same run. For example to send additional metadata after the run is complete","type":"string","enum":["START","RUNNING","COMPLETE","ABORT","FAIL","OTHER"],"example":"START|RUNNING|COMPLETE|ABORT|FAIL|OTHER"},"run":{"$ref":"#/$defs/Run"},"job":{"$ref":"#/$defs/Job"},"inputs":{"description":"The set of **input** datasets.","type":"array","items":{"$ref":"#/$defs/InputDataset"}},"outputs":{"description":"The set of **output** datasets.","type":"array","items":{"$ref":"#/$defs/OutputDataset"}}},"required":["run","job"]}]};
const schema33 = {"type":"object","properties":{"eventTime":{"description":"the time the event occurred at","type":"string","format":"date-time"},"producer":{"description":"URI identifying the producer of this metadata. For example this could be a git url with a given tag or sha","type":"string","format":"uri","example":"https://github.com/OpenLineage/OpenLineage/blob/v1-0-0/client"},"schemaURL":{"description":"The JSON Pointer (https://tools.ietf.org/html/rfc6901) URL to the corresponding version of the schema definition for this RunEvent","type":"string","format":"uri","example":"https://openlineage.io/spec/0-0-1/OpenLineage.json"}},"required":["eventTime","producer","schemaURL"]};
const formats0 = formats["date-time"];
const formats2 = formats.uri;
const schema34 = {"type":"object","properties":{"runId":{"description":"The globally unique ID of the run associated with the job.","type":"string","format":"uuid"},"facets":{"description":"The run facets.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"#/$defs/RunFacet"}}]}},"required":["runId"]};
const formats6 = formats.uuid;
const schema35 = {"description":"A Run Facet","type":"object","allOf":[{"$ref":"#/$defs/BaseFacet"}]};
const schema36 = {"description":"all fields of the base facet are prefixed with _ to avoid name conflicts in facets","type":"object","properties":{"_producer":{"description":"URI identifying the producer of this metadata. For example this could be a git url with a given tag or sha","type":"string","format":"uri","example":"https://github.com/OpenLineage/OpenLineage/blob/v1-0-0/client"},"_schemaURL":{"description":"The JSON Pointer (https://tools.ietf.org/html/rfc6901) URL to the corresponding version of the schema definition for this facet","type":"string","format":"uri","example":"https://openlineage.io/spec/1-0-2/OpenLineage.json#/$defs/BaseFacet"}},"additionalProperties":true,"required":["_producer","_schemaURL"]};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate23.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate23.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate23.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.runId === undefined) && (missing0 = "runId")){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.runId !== undefined){
let data0 = data.runId;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(formats6(data0))){
validate22.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.facets !== undefined){
let data1 = data.facets;
const _errs3 = errors;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
validate22.errors = [{instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 in data1){
const _errs9 = errors;
if(!(validate23(data1[key0], {instancePath:instancePath+"/facets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data1,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate22.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"runId":true,"facets":true},"dynamicProps":false,"dynamicItems":false};

const schema37 = {"type":"object","properties":{"namespace":{"description":"The namespace containing that job","type":"string","example":"my-scheduler-namespace"},"name":{"description":"The unique name for that job within that namespace","type":"string","example":"myjob.mytask"},"facets":{"description":"The job facets.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"#/$defs/JobFacet"}}]}},"required":["namespace","name"]};
const schema38 = {"description":"A Job Facet","type":"object","allOf":[{"$ref":"#/$defs/BaseFacet"},{"type":"object","properties":{"_deleted":{"description":"set to true to delete a facet","type":"boolean"}}}]};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate27.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate27.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate27.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate27.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate27.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.namespace === undefined) && (missing0 = "namespace")) || ((data.name === undefined) && (missing0 = "name"))){
validate26.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate26.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate26.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.facets !== undefined){
let data2 = data.facets;
const _errs5 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
validate26.errors = [{instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs7 = errors;
let valid1 = false;
const _errs8 = errors;
if(errors === _errs8){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key0 in data2){
const _errs11 = errors;
if(!(validate27(data2[key0], {instancePath:instancePath+"/facets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate26.errors = vErrors;
return false;
}
else {
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate26.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":{"namespace":true,"name":true,"facets":true},"dynamicProps":false,"dynamicItems":false};

const schema40 = {"description":"An input dataset","type":"object","allOf":[{"$ref":"#/$defs/Dataset"},{"type":"object","properties":{"inputFacets":{"description":"The input facets for this dataset.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"#/$defs/InputDatasetFacet"}}]}}}]};
const schema41 = {"type":"object","properties":{"namespace":{"description":"The namespace containing that dataset","type":"string","example":"my-datasource-namespace"},"name":{"description":"The unique name for that dataset within that namespace","type":"string","example":"instance.schema.table"},"facets":{"description":"The facets for this dataset","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"#/$defs/DatasetFacet"}}]}},"required":["namespace","name"]};
const schema42 = {"description":"A Dataset Facet","type":"object","allOf":[{"$ref":"#/$defs/BaseFacet"},{"type":"object","properties":{"_deleted":{"description":"set to true to delete a facet","type":"boolean"}}}]};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate32.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate32.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate32.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate32.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate32.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate32.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate32.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate32.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate32.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.namespace === undefined) && (missing0 = "namespace")) || ((data.name === undefined) && (missing0 = "name"))){
validate31.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate31.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate31.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.facets !== undefined){
let data2 = data.facets;
const _errs5 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
validate31.errors = [{instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs7 = errors;
let valid1 = false;
const _errs8 = errors;
if(errors === _errs8){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key0 in data2){
const _errs11 = errors;
if(!(validate32(data2[key0], {instancePath:instancePath+"/facets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate31.errors = vErrors;
return false;
}
else {
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate31.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":{"namespace":true,"name":true,"facets":true},"dynamicProps":false,"dynamicItems":false};

const schema44 = {"description":"An Input Dataset Facet","type":"object","allOf":[{"$ref":"#/$defs/BaseFacet"}]};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate35.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate35.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate35.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate35.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate35.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate35.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate30.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate31(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.inputFacets !== undefined){
let data0 = data.inputFacets;
if(!(data0 && typeof data0 == "object" && !Array.isArray(data0))){
validate30.errors = [{instancePath:instancePath+"/inputFacets",schemaPath:"#/allOf/1/properties/inputFacets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs6 = errors;
let valid2 = false;
const _errs7 = errors;
if(errors === _errs7){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key0 in data0){
const _errs10 = errors;
if(!(validate35(data0[key0], {instancePath:instancePath+"/inputFacets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
errors = vErrors.length;
}
var valid3 = _errs10 === errors;
if(!valid3){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/inputFacets",schemaPath:"#/allOf/1/properties/inputFacets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs7 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err1 = {instancePath:instancePath+"/inputFacets",schemaPath:"#/allOf/1/properties/inputFacets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate30.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
}
}
else {
validate30.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":{"inputFacets":true,"namespace":true,"name":true,"facets":true},"dynamicProps":false,"dynamicItems":false};

const schema46 = {"description":"An output dataset","type":"object","allOf":[{"$ref":"#/$defs/Dataset"},{"type":"object","properties":{"outputFacets":{"description":"The output facets for this dataset","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"#/$defs/OutputDatasetFacet"}}]}}}]};
const schema47 = {"description":"An Output Dataset Facet","type":"object","allOf":[{"$ref":"#/$defs/BaseFacet"}]};

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate40.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate40.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate40.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate40.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate40.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate40.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate40.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate38.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate31(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.outputFacets !== undefined){
let data0 = data.outputFacets;
if(!(data0 && typeof data0 == "object" && !Array.isArray(data0))){
validate38.errors = [{instancePath:instancePath+"/outputFacets",schemaPath:"#/allOf/1/properties/outputFacets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs6 = errors;
let valid2 = false;
const _errs7 = errors;
if(errors === _errs7){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key0 in data0){
const _errs10 = errors;
if(!(validate40(data0[key0], {instancePath:instancePath+"/outputFacets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
errors = vErrors.length;
}
var valid3 = _errs10 === errors;
if(!valid3){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/outputFacets",schemaPath:"#/allOf/1/properties/outputFacets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs7 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err1 = {instancePath:instancePath+"/outputFacets",schemaPath:"#/allOf/1/properties/outputFacets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate38.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
}
}
else {
validate38.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":{"outputFacets":true,"namespace":true,"name":true,"facets":true},"dynamicProps":false,"dynamicItems":false};


function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.eventTime === undefined) && (missing0 = "eventTime")) || ((data.producer === undefined) && (missing0 = "producer"))) || ((data.schemaURL === undefined) && (missing0 = "schemaURL"))){
validate54.errors = [{instancePath,schemaPath:"#/$defs/BaseEvent/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventTime !== undefined){
let data0 = data.eventTime;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data0 === "string"){
if(!(formats0(data0))){
validate54.errors = [{instancePath:instancePath+"/eventTime",schemaPath:"#/$defs/BaseEvent/properties/eventTime/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/eventTime",schemaPath:"#/$defs/BaseEvent/properties/eventTime/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs3 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.producer !== undefined){
let data1 = data.producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate54.errors = [{instancePath:instancePath+"/producer",schemaPath:"#/$defs/BaseEvent/properties/producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/producer",schemaPath:"#/$defs/BaseEvent/properties/producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.schemaURL !== undefined){
let data2 = data.schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data2 === "string"){
if(!(formats2(data2))){
validate54.errors = [{instancePath:instancePath+"/schemaURL",schemaPath:"#/$defs/BaseEvent/properties/schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/schemaURL",schemaPath:"#/$defs/BaseEvent/properties/schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/$defs/BaseEvent/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.run === undefined) && (missing1 = "run")) || ((data.job === undefined) && (missing1 = "job"))){
validate54.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data.eventType !== undefined){
let data3 = data.eventType;
const _errs11 = errors;
if(typeof data3 !== "string"){
validate54.errors = [{instancePath:instancePath+"/eventType",schemaPath:"#/allOf/1/properties/eventType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((((data3 === "START") || (data3 === "RUNNING")) || (data3 === "COMPLETE")) || (data3 === "ABORT")) || (data3 === "FAIL")) || (data3 === "OTHER"))){
validate54.errors = [{instancePath:instancePath+"/eventType",schemaPath:"#/allOf/1/properties/eventType/enum",keyword:"enum",params:{allowedValues: schema32.allOf[1].properties.eventType.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid3 = _errs11 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data.run !== undefined){
const _errs13 = errors;
if(!(validate22(data.run, {instancePath:instancePath+"/run",parentData:data,parentDataProperty:"run",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
var valid3 = _errs13 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data.job !== undefined){
const _errs14 = errors;
if(!(validate26(data.job, {instancePath:instancePath+"/job",parentData:data,parentDataProperty:"job",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data.inputs !== undefined){
let data6 = data.inputs;
const _errs15 = errors;
if(errors === _errs15){
if(Array.isArray(data6)){
var valid4 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
const _errs17 = errors;
if(!(validate30(data6[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data6,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate30.errors : vErrors.concat(validate30.errors);
errors = vErrors.length;
}
var valid4 = _errs17 === errors;
if(!valid4){
break;
}
}
}
else {
validate54.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/allOf/1/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid3 = _errs15 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data.outputs !== undefined){
let data8 = data.outputs;
const _errs18 = errors;
if(errors === _errs18){
if(Array.isArray(data8)){
var valid5 = true;
const len1 = data8.length;
for(let i1=0; i1<len1; i1++){
const _errs20 = errors;
if(!(validate38(data8[i1], {instancePath:instancePath+"/outputs/" + i1,parentData:data8,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
var valid5 = _errs20 === errors;
if(!valid5){
break;
}
}
}
else {
validate54.errors = [{instancePath:instancePath+"/outputs",schemaPath:"#/allOf/1/properties/outputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":{"eventType":true,"run":true,"job":true,"inputs":true,"outputs":true,"eventTime":true,"producer":true,"schemaURL":true},"dynamicProps":false,"dynamicItems":false};

export const isJobEvent = validate59;
const schema52 = {"allOf":[{"$ref":"#/$defs/BaseEvent"},{"type":"object","properties":{"job":{"$ref":"#/$defs/Job"},"inputs":{"description":"The set of **input** datasets.","type":"array","items":{"$ref":"#/$defs/InputDataset"}},"outputs":{"description":"The set of **output** datasets.","type":"array","items":{"$ref":"#/$defs/OutputDataset"}}},"required":["job"],"not":{"required":["run"]}}]};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.eventTime === undefined) && (missing0 = "eventTime")) || ((data.producer === undefined) && (missing0 = "producer"))) || ((data.schemaURL === undefined) && (missing0 = "schemaURL"))){
validate59.errors = [{instancePath,schemaPath:"#/$defs/BaseEvent/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventTime !== undefined){
let data0 = data.eventTime;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data0 === "string"){
if(!(formats0(data0))){
validate59.errors = [{instancePath:instancePath+"/eventTime",schemaPath:"#/$defs/BaseEvent/properties/eventTime/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate59.errors = [{instancePath:instancePath+"/eventTime",schemaPath:"#/$defs/BaseEvent/properties/eventTime/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs3 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.producer !== undefined){
let data1 = data.producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate59.errors = [{instancePath:instancePath+"/producer",schemaPath:"#/$defs/BaseEvent/properties/producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate59.errors = [{instancePath:instancePath+"/producer",schemaPath:"#/$defs/BaseEvent/properties/producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.schemaURL !== undefined){
let data2 = data.schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data2 === "string"){
if(!(formats2(data2))){
validate59.errors = [{instancePath:instancePath+"/schemaURL",schemaPath:"#/$defs/BaseEvent/properties/schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate59.errors = [{instancePath:instancePath+"/schemaURL",schemaPath:"#/$defs/BaseEvent/properties/schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate59.errors = [{instancePath,schemaPath:"#/$defs/BaseEvent/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs9 = errors;
const _errs11 = errors;
const _errs12 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.run === undefined) && (missing1 = "run")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid3 = _errs12 === errors;
if(valid3){
validate59.errors = [{instancePath,schemaPath:"#/allOf/1/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.job === undefined) && (missing2 = "job")){
validate59.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data.job !== undefined){
const _errs13 = errors;
if(!(validate26(data.job, {instancePath:instancePath+"/job",parentData:data,parentDataProperty:"job",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.inputs !== undefined){
let data4 = data.inputs;
const _errs14 = errors;
if(errors === _errs14){
if(Array.isArray(data4)){
var valid5 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
const _errs16 = errors;
if(!(validate30(data4[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data4,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate30.errors : vErrors.concat(validate30.errors);
errors = vErrors.length;
}
var valid5 = _errs16 === errors;
if(!valid5){
break;
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/allOf/1/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid4 = _errs14 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.outputs !== undefined){
let data6 = data.outputs;
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data6)){
var valid6 = true;
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
const _errs19 = errors;
if(!(validate38(data6[i1], {instancePath:instancePath+"/outputs/" + i1,parentData:data6,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
var valid6 = _errs19 === errors;
if(!valid6){
break;
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/outputs",schemaPath:"#/allOf/1/properties/outputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate59.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":{"job":true,"inputs":true,"outputs":true,"eventTime":true,"producer":true,"schemaURL":true},"dynamicProps":false,"dynamicItems":false};

export const isDatasetEvent = validate63;
const schema49 = {"allOf":[{"$ref":"#/$defs/BaseEvent"},{"type":"object","properties":{"dataset":{"$ref":"#/$defs/StaticDataset"}},"required":["dataset"],"not":{"required":["job","run"]}}]};
const schema51 = {"description":"A Dataset sent within static metadata events","type":"object","allOf":[{"$ref":"#/$defs/Dataset"}]};

function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate45.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate45.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
if(!(validate31(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
validate45.errors = vErrors;
return errors === 0;
}
validate45.evaluated = {"props":{"namespace":true,"name":true,"facets":true},"dynamicProps":false,"dynamicItems":false};


function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.eventTime === undefined) && (missing0 = "eventTime")) || ((data.producer === undefined) && (missing0 = "producer"))) || ((data.schemaURL === undefined) && (missing0 = "schemaURL"))){
validate63.errors = [{instancePath,schemaPath:"#/$defs/BaseEvent/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventTime !== undefined){
let data0 = data.eventTime;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data0 === "string"){
if(!(formats0(data0))){
validate63.errors = [{instancePath:instancePath+"/eventTime",schemaPath:"#/$defs/BaseEvent/properties/eventTime/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate63.errors = [{instancePath:instancePath+"/eventTime",schemaPath:"#/$defs/BaseEvent/properties/eventTime/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs3 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.producer !== undefined){
let data1 = data.producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate63.errors = [{instancePath:instancePath+"/producer",schemaPath:"#/$defs/BaseEvent/properties/producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate63.errors = [{instancePath:instancePath+"/producer",schemaPath:"#/$defs/BaseEvent/properties/producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.schemaURL !== undefined){
let data2 = data.schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data2 === "string"){
if(!(formats2(data2))){
validate63.errors = [{instancePath:instancePath+"/schemaURL",schemaPath:"#/$defs/BaseEvent/properties/schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate63.errors = [{instancePath:instancePath+"/schemaURL",schemaPath:"#/$defs/BaseEvent/properties/schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate63.errors = [{instancePath,schemaPath:"#/$defs/BaseEvent/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs9 = errors;
const _errs11 = errors;
const _errs12 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.job === undefined) && (missing1 = "job")) || ((data.run === undefined) && (missing1 = "run"))){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid3 = _errs12 === errors;
if(valid3){
validate63.errors = [{instancePath,schemaPath:"#/allOf/1/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.dataset === undefined) && (missing2 = "dataset")){
validate63.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data.dataset !== undefined){
if(!(validate45(data.dataset, {instancePath:instancePath+"/dataset",parentData:data,parentDataProperty:"dataset",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate45.errors : vErrors.concat(validate45.errors);
errors = vErrors.length;
}
}
}
}
else {
validate63.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":{"dataset":true,"eventTime":true,"producer":true,"schemaURL":true},"dynamicProps":false,"dynamicItems":false};

export const isOutputSubsetOutputDatasetFacet = validate83;
const schema74 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/OutputDatasetFacet"},{"type":"object","properties":{"outputCondition":{"$ref":"#/$defs/BaseSubsetCondition"}},"required":["outputCondition"]}]};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate78.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate78.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate78.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate78.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate78.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate78.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate78.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema65 = {"description":"The condition to define a subset","type":"object","oneOf":[{"$ref":"#/$defs/LocationSubsetCondition"},{"$ref":"#/$defs/PartitionSubsetCondition"},{"$ref":"#/$defs/BinarySubsetCondition"},{"$ref":"#/$defs/CompareSubsetCondition"}]};
const schema66 = {"type":"object","properties":{"type":{"const":"location"},"locations":{"type":"array","items":{"type":"string"}}},"required":["locations","type"]};
const schema67 = {"type":"object","properties":{"type":{"const":"partition"},"partitions":{"type":"array","items":{"type":"object","properties":{"identifier":{"type":"string","description":"Optionally provided identifier of the partition specified"},"dimensions":{"type":"object","additionalProperties":true}},"required":["dimensions"]}}},"required":["partitions","type"]};
const schema68 = {"type":"object","properties":{"left":{"$ref":"#/$defs/BaseSubsetCondition"},"right":{"$ref":"#/$defs/BaseSubsetCondition"},"type":{"const":"binary"},"operator":{"type":"string","example":"AND","description":"Allowed values: 'AND' or 'OR'"}},"required":["left","right","operator","type"]};
const wrapper0 = {validate: validate70};

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate71.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.left === undefined) && (missing0 = "left")) || ((data.right === undefined) && (missing0 = "right"))) || ((data.operator === undefined) && (missing0 = "operator"))) || ((data.type === undefined) && (missing0 = "type"))){
validate71.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.left !== undefined){
const _errs1 = errors;
if(!(wrapper0.validate(data.left, {instancePath:instancePath+"/left",parentData:data,parentDataProperty:"left",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.right !== undefined){
const _errs2 = errors;
if(!(wrapper0.validate(data.right, {instancePath:instancePath+"/right",parentData:data,parentDataProperty:"right",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs3 = errors;
if("binary" !== data.type){
validate71.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "binary"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.operator !== undefined){
const _errs4 = errors;
if(typeof data.operator !== "string"){
validate71.errors = [{instancePath:instancePath+"/operator",schemaPath:"#/properties/operator/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate71.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate71.errors = vErrors;
return errors === 0;
}
validate71.evaluated = {"props":{"left":true,"right":true,"type":true,"operator":true},"dynamicProps":false,"dynamicItems":false};

const schema69 = {"type":"object","properties":{"type":{"const":"compare"},"left":{"oneOf":[{"$ref":"#/$defs/FieldBaseCompareExpression"},{"$ref":"#/$defs/LiteralCompareExpression"}]},"right":{"oneOf":[{"$ref":"#/$defs/FieldBaseCompareExpression"},{"$ref":"#/$defs/LiteralCompareExpression"}]},"comparison":{"type":"string","example":"EQUAL","description":"Allowed values: 'EQUAL', 'GREATER_THAN', 'GREATER_EQUAL_THAN', 'LESS_THAN', 'LESS_EQUAL_THAN'"}},"required":["left","right","comparison","type"]};
const schema70 = {"type":"object","properties":{"type":{"const":"field"},"field":{"type":"string"}},"required":["field","type"]};
const schema71 = {"type":"object","properties":{"type":{"const":"literal"},"value":{"type":"string"}},"required":["value","type"]};

function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.left === undefined) && (missing0 = "left")) || ((data.right === undefined) && (missing0 = "right"))) || ((data.comparison === undefined) && (missing0 = "comparison"))) || ((data.type === undefined) && (missing0 = "type"))){
validate73.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.type !== undefined){
const _errs1 = errors;
if("compare" !== data.type){
validate73.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "compare"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.left !== undefined){
let data1 = data.left;
const _errs2 = errors;
const _errs3 = errors;
let valid1 = false;
let passing0 = null;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.field === undefined) && (missing1 = "field")) || ((data1.type === undefined) && (missing1 = "type"))){
const err0 = {instancePath:instancePath+"/left",schemaPath:"#/$defs/FieldBaseCompareExpression/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data1.type !== undefined){
const _errs7 = errors;
if("field" !== data1.type){
const err1 = {instancePath:instancePath+"/left/type",schemaPath:"#/$defs/FieldBaseCompareExpression/properties/type/const",keyword:"const",params:{allowedValue: "field"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid3 = _errs7 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.field !== undefined){
const _errs8 = errors;
if(typeof data1.field !== "string"){
const err2 = {instancePath:instancePath+"/left/field",schemaPath:"#/$defs/FieldBaseCompareExpression/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
}
}
}
else {
const err3 = {instancePath:instancePath+"/left",schemaPath:"#/$defs/FieldBaseCompareExpression/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0){
valid1 = true;
passing0 = 0;
var props0 = {};
props0.type = true;
props0.field = true;
}
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing2;
if(((data1.value === undefined) && (missing2 = "value")) || ((data1.type === undefined) && (missing2 = "type"))){
const err4 = {instancePath:instancePath+"/left",schemaPath:"#/$defs/LiteralCompareExpression/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
if(data1.type !== undefined){
const _errs13 = errors;
if("literal" !== data1.type){
const err5 = {instancePath:instancePath+"/left/type",schemaPath:"#/$defs/LiteralCompareExpression/properties/type/const",keyword:"const",params:{allowedValue: "literal"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var valid5 = _errs13 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data1.value !== undefined){
const _errs14 = errors;
if(typeof data1.value !== "string"){
const err6 = {instancePath:instancePath+"/left/value",schemaPath:"#/$defs/LiteralCompareExpression/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid5 = _errs14 === errors;
}
else {
var valid5 = true;
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/left",schemaPath:"#/$defs/LiteralCompareExpression/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
var _valid0 = _errs10 === errors;
if(_valid0 && valid1){
valid1 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid1 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.value = true;
}
}
}
if(!valid1){
const err8 = {instancePath:instancePath+"/left",schemaPath:"#/properties/left/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
validate73.errors = vErrors;
return false;
}
else {
errors = _errs3;
if(vErrors !== null){
if(_errs3){
vErrors.length = _errs3;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.right !== undefined){
let data6 = data.right;
const _errs16 = errors;
const _errs17 = errors;
let valid6 = false;
let passing1 = null;
const _errs18 = errors;
const _errs19 = errors;
if(errors === _errs19){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing3;
if(((data6.field === undefined) && (missing3 = "field")) || ((data6.type === undefined) && (missing3 = "type"))){
const err9 = {instancePath:instancePath+"/right",schemaPath:"#/$defs/FieldBaseCompareExpression/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
if(data6.type !== undefined){
const _errs21 = errors;
if("field" !== data6.type){
const err10 = {instancePath:instancePath+"/right/type",schemaPath:"#/$defs/FieldBaseCompareExpression/properties/type/const",keyword:"const",params:{allowedValue: "field"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var valid8 = _errs21 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data6.field !== undefined){
const _errs22 = errors;
if(typeof data6.field !== "string"){
const err11 = {instancePath:instancePath+"/right/field",schemaPath:"#/$defs/FieldBaseCompareExpression/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var valid8 = _errs22 === errors;
}
else {
var valid8 = true;
}
}
}
}
else {
const err12 = {instancePath:instancePath+"/right",schemaPath:"#/$defs/FieldBaseCompareExpression/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var _valid1 = _errs18 === errors;
if(_valid1){
valid6 = true;
passing1 = 0;
var props1 = {};
props1.type = true;
props1.field = true;
}
const _errs24 = errors;
const _errs25 = errors;
if(errors === _errs25){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing4;
if(((data6.value === undefined) && (missing4 = "value")) || ((data6.type === undefined) && (missing4 = "type"))){
const err13 = {instancePath:instancePath+"/right",schemaPath:"#/$defs/LiteralCompareExpression/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
else {
if(data6.type !== undefined){
const _errs27 = errors;
if("literal" !== data6.type){
const err14 = {instancePath:instancePath+"/right/type",schemaPath:"#/$defs/LiteralCompareExpression/properties/type/const",keyword:"const",params:{allowedValue: "literal"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var valid10 = _errs27 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data6.value !== undefined){
const _errs28 = errors;
if(typeof data6.value !== "string"){
const err15 = {instancePath:instancePath+"/right/value",schemaPath:"#/$defs/LiteralCompareExpression/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
var valid10 = _errs28 === errors;
}
else {
var valid10 = true;
}
}
}
}
else {
const err16 = {instancePath:instancePath+"/right",schemaPath:"#/$defs/LiteralCompareExpression/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
var _valid1 = _errs24 === errors;
if(_valid1 && valid6){
valid6 = false;
passing1 = [passing1, 1];
}
else {
if(_valid1){
valid6 = true;
passing1 = 1;
if(props1 !== true){
props1 = props1 || {};
props1.type = true;
props1.value = true;
}
}
}
if(!valid6){
const err17 = {instancePath:instancePath+"/right",schemaPath:"#/properties/right/oneOf",keyword:"oneOf",params:{passingSchemas: passing1},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
validate73.errors = vErrors;
return false;
}
else {
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.comparison !== undefined){
const _errs30 = errors;
if(typeof data.comparison !== "string"){
validate73.errors = [{instancePath:instancePath+"/comparison",schemaPath:"#/properties/comparison/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate73.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"props":{"type":true,"left":true,"right":true,"comparison":true},"dynamicProps":false,"dynamicItems":false};


function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate70.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.locations === undefined) && (missing0 = "locations")) || ((data.type === undefined) && (missing0 = "type"))){
const err0 = {instancePath,schemaPath:"#/$defs/LocationSubsetCondition/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.type !== undefined){
const _errs5 = errors;
if("location" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/LocationSubsetCondition/properties/type/const",keyword:"const",params:{allowedValue: "location"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.locations !== undefined){
let data1 = data.locations;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data1)){
var valid3 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(typeof data1[i0] !== "string"){
const err2 = {instancePath:instancePath+"/locations/" + i0,schemaPath:"#/$defs/LocationSubsetCondition/properties/locations/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var valid3 = _errs8 === errors;
if(!valid3){
break;
}
}
}
else {
const err3 = {instancePath:instancePath+"/locations",schemaPath:"#/$defs/LocationSubsetCondition/properties/locations/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/$defs/LocationSubsetCondition/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.type = true;
props0.locations = true;
}
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.partitions === undefined) && (missing1 = "partitions")) || ((data.type === undefined) && (missing1 = "type"))){
const err5 = {instancePath,schemaPath:"#/$defs/PartitionSubsetCondition/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
if(data.type !== undefined){
const _errs13 = errors;
if("partition" !== data.type){
const err6 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/PartitionSubsetCondition/properties/type/const",keyword:"const",params:{allowedValue: "partition"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid5 = _errs13 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data.partitions !== undefined){
let data4 = data.partitions;
const _errs14 = errors;
if(errors === _errs14){
if(Array.isArray(data4)){
var valid6 = true;
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
let data5 = data4[i1];
const _errs16 = errors;
if(errors === _errs16){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing2;
if((data5.dimensions === undefined) && (missing2 = "dimensions")){
const err7 = {instancePath:instancePath+"/partitions/" + i1,schemaPath:"#/$defs/PartitionSubsetCondition/properties/partitions/items/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
if(data5.identifier !== undefined){
const _errs18 = errors;
if(typeof data5.identifier !== "string"){
const err8 = {instancePath:instancePath+"/partitions/" + i1+"/identifier",schemaPath:"#/$defs/PartitionSubsetCondition/properties/partitions/items/properties/identifier/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var valid7 = _errs18 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data5.dimensions !== undefined){
let data7 = data5.dimensions;
const _errs20 = errors;
if(errors === _errs20){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
}
else {
const err9 = {instancePath:instancePath+"/partitions/" + i1+"/dimensions",schemaPath:"#/$defs/PartitionSubsetCondition/properties/partitions/items/properties/dimensions/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
var valid7 = _errs20 === errors;
}
else {
var valid7 = true;
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/partitions/" + i1,schemaPath:"#/$defs/PartitionSubsetCondition/properties/partitions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
var valid6 = _errs16 === errors;
if(!valid6){
break;
}
}
}
else {
const err11 = {instancePath:instancePath+"/partitions",schemaPath:"#/$defs/PartitionSubsetCondition/properties/partitions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
var valid5 = _errs14 === errors;
}
else {
var valid5 = true;
}
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/$defs/PartitionSubsetCondition/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var _valid0 = _errs10 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.partitions = true;
}
}
const _errs23 = errors;
if(!(validate71(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
var _valid0 = _errs23 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = props0 || {};
props0.left = true;
props0.right = true;
props0.type = true;
props0.operator = true;
}
}
const _errs24 = errors;
if(!(validate73(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
var _valid0 = _errs24 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.left = true;
props0.right = true;
props0.comparison = true;
}
}
}
}
}
if(!valid0){
const err13 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate70.errors = vErrors;
return false;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
validate70.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate70.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate83.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate78(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate78.errors : vErrors.concat(validate78.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.outputCondition === undefined) && (missing0 = "outputCondition")){
validate83.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.outputCondition !== undefined){
if(!(validate70(data.outputCondition, {instancePath:instancePath+"/outputCondition",parentData:data,parentDataProperty:"outputCondition",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
}
else {
validate83.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
validate83.errors = vErrors;
return errors === 0;
}
validate83.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isInputSubsetInputDatasetFacet = validate86;
const schema62 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/InputDatasetFacet"},{"type":"object","properties":{"inputCondition":{"$ref":"#/$defs/BaseSubsetCondition"}},"required":["inputCondition"]}]};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate68.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate68.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate68.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate68.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate68.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate68.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate68.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate86(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate86.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate68(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.inputCondition === undefined) && (missing0 = "inputCondition")){
validate86.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.inputCondition !== undefined){
if(!(validate70(data.inputCondition, {instancePath:instancePath+"/inputCondition",parentData:data,parentDataProperty:"inputCondition",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
}
else {
validate86.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
validate86.errors = vErrors;
return errors === 0;
}
validate86.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isCatalogDatasetFacet = validate94;
const schema80 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"framework":{"description":"The storage framework for which the catalog is configured","type":"string","example":"iceberg, delta, hive"},"type":{"description":"Type of the catalog.","type":"string","example":"jdbc, glue, polaris"},"name":{"description":"Name of the catalog, as configured in the source system.","type":"string","example":"my_iceberg_catalog"},"metadataUri":{"description":"URI or connection string to the catalog, if applicable.","type":"string","example":"jdbc:mysql://host:3306/iceberg_database"},"warehouseUri":{"description":"URI or connection string to the physical location of the data that the catalog describes.","type":"string","example":"s3://bucket/path/to/iceberg/warehouse"},"source":{"description":"Source system where the catalog is configured.","type":"string","example":"spark, flink, hive"},"catalogProperties":{"description":"Additional catalog properties","type":"object","additionalProperties":{"type":"string"}}},"required":["framework","type","name"]}],"type":"object"};

function validate91(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate91.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate91.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate91.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate91.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate91.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate91.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate91.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate91.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate91.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate91.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate91.errors = vErrors;
return errors === 0;
}
validate91.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate94.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate94.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate91(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.framework === undefined) && (missing0 = "framework")) || ((data.type === undefined) && (missing0 = "type"))) || ((data.name === undefined) && (missing0 = "name"))){
validate94.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.framework !== undefined){
const _errs4 = errors;
if(typeof data.framework !== "string"){
validate94.errors = [{instancePath:instancePath+"/framework",schemaPath:"#/allOf/1/properties/framework/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.type !== undefined){
const _errs6 = errors;
if(typeof data.type !== "string"){
validate94.errors = [{instancePath:instancePath+"/type",schemaPath:"#/allOf/1/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.name !== undefined){
const _errs8 = errors;
if(typeof data.name !== "string"){
validate94.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.metadataUri !== undefined){
const _errs10 = errors;
if(typeof data.metadataUri !== "string"){
validate94.errors = [{instancePath:instancePath+"/metadataUri",schemaPath:"#/allOf/1/properties/metadataUri/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.warehouseUri !== undefined){
const _errs12 = errors;
if(typeof data.warehouseUri !== "string"){
validate94.errors = [{instancePath:instancePath+"/warehouseUri",schemaPath:"#/allOf/1/properties/warehouseUri/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.source !== undefined){
const _errs14 = errors;
if(typeof data.source !== "string"){
validate94.errors = [{instancePath:instancePath+"/source",schemaPath:"#/allOf/1/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs14 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.catalogProperties !== undefined){
let data6 = data.catalogProperties;
const _errs16 = errors;
if(errors === _errs16){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
for(const key0 in data6){
const _errs19 = errors;
if(typeof data6[key0] !== "string"){
validate94.errors = [{instancePath:instancePath+"/catalogProperties/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/catalogProperties/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs19 === errors;
if(!valid2){
break;
}
}
}
else {
validate94.errors = [{instancePath:instancePath+"/catalogProperties",schemaPath:"#/allOf/1/properties/catalogProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs16 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
}
else {
validate94.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate94.errors = vErrors;
return errors === 0;
}
validate94.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isColumnLineageDatasetFacet = validate101;
const schema85 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"fields":{"description":"Column level lineage that maps output fields into input fields used to evaluate them.","type":"object","additionalProperties":{"type":"object","properties":{"inputFields":{"type":"array","items":{"$ref":"#/$defs/InputField"}},"transformationDescription":{"type":"string","description":"a string representation of the transformation applied","deprecated":true},"transformationType":{"type":"string","description":"IDENTITY|MASKED reflects a clearly defined behavior. IDENTITY: exact same as input; MASKED: no original data available (like a hash of PII for example)","deprecated":true}},"additionalProperties":true,"required":["inputFields"]}},"dataset":{"description":"Column level lineage that affects the whole dataset. This includes filtering, sorting, grouping (aggregates), joining, window functions, etc.","type":"array","items":{"$ref":"#/$defs/InputField"}}},"additionalProperties":true,"required":["fields"]}],"type":"object"};
const schema88 = {"description":"Represents a single dependency on some field (column).","type":"object","properties":{"namespace":{"type":"string","description":"The input dataset namespace"},"name":{"type":"string","description":"The input dataset name"},"field":{"type":"string","description":"The input field"},"transformations":{"type":"array","items":{"type":"object","properties":{"type":{"description":"The type of the transformation. Allowed values are: DIRECT, INDIRECT","type":"string"},"subtype":{"type":"string","description":"The subtype of the transformation"},"description":{"type":"string","description":"a string representation of the transformation applied"},"masking":{"type":"boolean","description":"is transformation masking the data or not"}},"required":["type"],"additionalProperties":true}}},"additionalProperties":true,"required":["namespace","name","field"]};

function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate98.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate98.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate98.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate98.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate98.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate98.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate98.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate98.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate98.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate98.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate98.errors = vErrors;
return errors === 0;
}
validate98.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate101(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate101.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate101.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate98(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.fields === undefined) && (missing0 = "fields")){
validate101.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.fields !== undefined){
let data0 = data.fields;
const _errs5 = errors;
if(errors === _errs5){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key0 in data0){
let data1 = data0[key0];
const _errs8 = errors;
if(errors === _errs8){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if((data1.inputFields === undefined) && (missing1 = "inputFields")){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/fields/additionalProperties/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.inputFields !== undefined){
let data2 = data1.inputFields;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data2)){
var valid4 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs13 = errors;
const _errs14 = errors;
if(errors === _errs14){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing2;
if((((data3.namespace === undefined) && (missing2 = "namespace")) || ((data3.name === undefined) && (missing2 = "name"))) || ((data3.field === undefined) && (missing2 = "field"))){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0,schemaPath:"#/$defs/InputField/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data3.namespace !== undefined){
const _errs17 = errors;
if(typeof data3.namespace !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/namespace",schemaPath:"#/$defs/InputField/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid6 = _errs17 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data3.name !== undefined){
const _errs19 = errors;
if(typeof data3.name !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/name",schemaPath:"#/$defs/InputField/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid6 = _errs19 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data3.field !== undefined){
const _errs21 = errors;
if(typeof data3.field !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/field",schemaPath:"#/$defs/InputField/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid6 = _errs21 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data3.transformations !== undefined){
let data7 = data3.transformations;
const _errs23 = errors;
if(errors === _errs23){
if(Array.isArray(data7)){
var valid7 = true;
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
let data8 = data7[i1];
const _errs25 = errors;
if(errors === _errs25){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
let missing3;
if((data8.type === undefined) && (missing3 = "type")){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations/" + i1,schemaPath:"#/$defs/InputField/properties/transformations/items/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data8.type !== undefined){
const _errs28 = errors;
if(typeof data8.type !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations/" + i1+"/type",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs28 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data8.subtype !== undefined){
const _errs30 = errors;
if(typeof data8.subtype !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations/" + i1+"/subtype",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/subtype/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs30 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data8.description !== undefined){
const _errs32 = errors;
if(typeof data8.description !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations/" + i1+"/description",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs32 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data8.masking !== undefined){
const _errs34 = errors;
if(typeof data8.masking !== "boolean"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations/" + i1+"/masking",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/masking/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid8 = _errs34 === errors;
}
else {
var valid8 = true;
}
}
}
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations/" + i1,schemaPath:"#/$defs/InputField/properties/transformations/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid7 = _errs25 === errors;
if(!valid7){
break;
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0+"/transformations",schemaPath:"#/$defs/InputField/properties/transformations/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid6 = _errs23 === errors;
}
else {
var valid6 = true;
}
}
}
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields/" + i0,schemaPath:"#/$defs/InputField/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs13 === errors;
if(!valid4){
break;
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputFields",schemaPath:"#/allOf/1/properties/fields/additionalProperties/properties/inputFields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid3 = _errs11 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.transformationDescription !== undefined){
const _errs36 = errors;
if(typeof data1.transformationDescription !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/transformationDescription",schemaPath:"#/allOf/1/properties/fields/additionalProperties/properties/transformationDescription/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs36 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.transformationType !== undefined){
const _errs38 = errors;
if(typeof data1.transformationType !== "string"){
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/transformationType",schemaPath:"#/allOf/1/properties/fields/additionalProperties/properties/transformationType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs38 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/fields/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs8 === errors;
if(!valid2){
break;
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/allOf/1/properties/fields/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.dataset !== undefined){
let data15 = data.dataset;
const _errs40 = errors;
if(errors === _errs40){
if(Array.isArray(data15)){
var valid9 = true;
const len2 = data15.length;
for(let i2=0; i2<len2; i2++){
let data16 = data15[i2];
const _errs42 = errors;
const _errs43 = errors;
if(errors === _errs43){
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
let missing4;
if((((data16.namespace === undefined) && (missing4 = "namespace")) || ((data16.name === undefined) && (missing4 = "name"))) || ((data16.field === undefined) && (missing4 = "field"))){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2,schemaPath:"#/$defs/InputField/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
if(data16.namespace !== undefined){
const _errs46 = errors;
if(typeof data16.namespace !== "string"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/namespace",schemaPath:"#/$defs/InputField/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid11 = _errs46 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data16.name !== undefined){
const _errs48 = errors;
if(typeof data16.name !== "string"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/name",schemaPath:"#/$defs/InputField/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid11 = _errs48 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data16.field !== undefined){
const _errs50 = errors;
if(typeof data16.field !== "string"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/field",schemaPath:"#/$defs/InputField/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid11 = _errs50 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data16.transformations !== undefined){
let data20 = data16.transformations;
const _errs52 = errors;
if(errors === _errs52){
if(Array.isArray(data20)){
var valid12 = true;
const len3 = data20.length;
for(let i3=0; i3<len3; i3++){
let data21 = data20[i3];
const _errs54 = errors;
if(errors === _errs54){
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
let missing5;
if((data21.type === undefined) && (missing5 = "type")){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations/" + i3,schemaPath:"#/$defs/InputField/properties/transformations/items/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"}];
return false;
}
else {
if(data21.type !== undefined){
const _errs57 = errors;
if(typeof data21.type !== "string"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations/" + i3+"/type",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid13 = _errs57 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.subtype !== undefined){
const _errs59 = errors;
if(typeof data21.subtype !== "string"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations/" + i3+"/subtype",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/subtype/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid13 = _errs59 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.description !== undefined){
const _errs61 = errors;
if(typeof data21.description !== "string"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations/" + i3+"/description",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid13 = _errs61 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.masking !== undefined){
const _errs63 = errors;
if(typeof data21.masking !== "boolean"){
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations/" + i3+"/masking",schemaPath:"#/$defs/InputField/properties/transformations/items/properties/masking/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid13 = _errs63 === errors;
}
else {
var valid13 = true;
}
}
}
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations/" + i3,schemaPath:"#/$defs/InputField/properties/transformations/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid12 = _errs54 === errors;
if(!valid12){
break;
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2+"/transformations",schemaPath:"#/$defs/InputField/properties/transformations/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid11 = _errs52 === errors;
}
else {
var valid11 = true;
}
}
}
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/dataset/" + i2,schemaPath:"#/$defs/InputField/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid9 = _errs42 === errors;
if(!valid9){
break;
}
}
}
else {
validate101.errors = [{instancePath:instancePath+"/dataset",schemaPath:"#/allOf/1/properties/dataset/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs40 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate101.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate101.errors = vErrors;
return errors === 0;
}
validate101.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDataQualityAssertionsDatasetFacet = validate108;
const schema94 = {"description":"list of tests performed on dataset or dataset columns, and their results","allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/InputDatasetFacet"},{"type":"object","required":["assertions"],"properties":{"assertions":{"type":"array","items":{"type":"object","properties":{"assertion":{"type":"string","description":"Classification of the test, e.g. 'not_null', 'unique', 'row_count', 'freshness', 'custom_sql'.","example":"not_null"},"success":{"type":"boolean","description":"Whether the test found issues: 'true' (no issues found), 'false' (issues found). Independent of severity - a test can fail without blocking the pipeline when severity is 'warn'."},"column":{"type":"string","description":"Column that test refers to. It should match the name provided in SchemaDatasetFacet. If column field is empty, then test refers to whole dataset.","example":"id"},"severity":{"type":"string","description":"The configured severity level of the assertion. Common values are 'error' (test failure blocks pipeline) or 'warn' (test failure produces warning only).","example":"error"},"name":{"type":"string","description":"Name identifying the test.","example":"assert_no_orphans"},"description":{"type":"string","description":"Human-readable description of what the assertion checks.","example":"Ensures all order IDs are unique across the table."},"expected":{"type":"string","description":"The expected value or threshold for the assertion, serialized as a string.","example":"1000"},"actual":{"type":"string","description":"The actual value observed during the assertion, serialized as a string.","example":"999"},"content":{"type":"string","description":"The assertion body, e.g. a SQL query or expression.","example":"SELECT COUNT(*) FROM orders WHERE amount < 0"},"contentType":{"type":"string","description":"The format of the content field, allowing consumers to interpret or filter assertion content. Common values include 'sql', 'json', 'expression'.","example":"sql"},"params":{"type":"object","description":"Arbitrary key-value pairs for assertion-specific inputs.","additionalProperties":true}},"required":["assertion","success"]}}}}],"type":"object"};

function validate105(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate105.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate105.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate105.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate105.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate105.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate105.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate105.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate105.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate105.errors = vErrors;
return errors === 0;
}
validate105.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate108(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate108.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate108.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate105(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate105.errors : vErrors.concat(validate105.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.assertions === undefined) && (missing0 = "assertions")){
validate108.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.assertions !== undefined){
let data0 = data.assertions;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.assertion === undefined) && (missing1 = "assertion")) || ((data1.success === undefined) && (missing1 = "success"))){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0,schemaPath:"#/allOf/1/properties/assertions/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.assertion !== undefined){
const _errs8 = errors;
if(typeof data1.assertion !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/assertion",schemaPath:"#/allOf/1/properties/assertions/items/properties/assertion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.success !== undefined){
const _errs10 = errors;
if(typeof data1.success !== "boolean"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/success",schemaPath:"#/allOf/1/properties/assertions/items/properties/success/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.column !== undefined){
const _errs12 = errors;
if(typeof data1.column !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/column",schemaPath:"#/allOf/1/properties/assertions/items/properties/column/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs12 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.severity !== undefined){
const _errs14 = errors;
if(typeof data1.severity !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/severity",schemaPath:"#/allOf/1/properties/assertions/items/properties/severity/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.name !== undefined){
const _errs16 = errors;
if(typeof data1.name !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/name",schemaPath:"#/allOf/1/properties/assertions/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs16 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.description !== undefined){
const _errs18 = errors;
if(typeof data1.description !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/description",schemaPath:"#/allOf/1/properties/assertions/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.expected !== undefined){
const _errs20 = errors;
if(typeof data1.expected !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/expected",schemaPath:"#/allOf/1/properties/assertions/items/properties/expected/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs20 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.actual !== undefined){
const _errs22 = errors;
if(typeof data1.actual !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/actual",schemaPath:"#/allOf/1/properties/assertions/items/properties/actual/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs22 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.content !== undefined){
const _errs24 = errors;
if(typeof data1.content !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/content",schemaPath:"#/allOf/1/properties/assertions/items/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs24 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.contentType !== undefined){
const _errs26 = errors;
if(typeof data1.contentType !== "string"){
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/contentType",schemaPath:"#/allOf/1/properties/assertions/items/properties/contentType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs26 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.params !== undefined){
let data12 = data1.params;
const _errs28 = errors;
if(errors === _errs28){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
}
else {
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0+"/params",schemaPath:"#/allOf/1/properties/assertions/items/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs28 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate108.errors = [{instancePath:instancePath+"/assertions/" + i0,schemaPath:"#/allOf/1/properties/assertions/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate108.errors = [{instancePath:instancePath+"/assertions",schemaPath:"#/allOf/1/properties/assertions/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate108.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate108.errors = vErrors;
return errors === 0;
}
validate108.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDataQualityMetricsDatasetFacet = validate115;
const schema99 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","required":["columnMetrics"],"properties":{"rowCount":{"description":"The number of rows evaluated","type":"integer"},"bytes":{"description":"The size in bytes","type":"integer"},"fileCount":{"description":"The number of files evaluated","type":"integer"},"lastUpdated":{"description":"The last time the dataset was changed","type":"string","format":"date-time"},"columnMetrics":{"description":"The property key is the column name","type":"object","additionalProperties":{"type":"object","properties":{"nullCount":{"description":"The number of null values in this column for the rows evaluated","type":"integer"},"distinctCount":{"description":"The number of distinct values in this column for the rows evaluated","type":"integer"},"sum":{"description":"The total sum of values in this column for the rows evaluated","type":"number"},"count":{"description":"The number of values in this column","type":"number"},"min":{"type":"number"},"max":{"type":"number"},"quantiles":{"description":"The property key is the quantile. Examples: 0.1 0.25 0.5 0.75 1","type":"object","additionalProperties":{"type":"number"}}}}}}}],"type":"object"};

function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate112.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate112.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate112.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate112.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate112.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate112.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate112.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate112.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate112.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate112.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate112.errors = vErrors;
return errors === 0;
}
validate112.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate115(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate115.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate115.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate112(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.columnMetrics === undefined) && (missing0 = "columnMetrics")){
validate115.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.rowCount !== undefined){
let data0 = data.rowCount;
const _errs4 = errors;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
validate115.errors = [{instancePath:instancePath+"/rowCount",schemaPath:"#/allOf/1/properties/rowCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.bytes !== undefined){
let data1 = data.bytes;
const _errs6 = errors;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
validate115.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/allOf/1/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.fileCount !== undefined){
let data2 = data.fileCount;
const _errs8 = errors;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
validate115.errors = [{instancePath:instancePath+"/fileCount",schemaPath:"#/allOf/1/properties/fileCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.lastUpdated !== undefined){
let data3 = data.lastUpdated;
const _errs10 = errors;
if(errors === _errs10){
if(errors === _errs10){
if(typeof data3 === "string"){
if(!(formats0(data3))){
validate115.errors = [{instancePath:instancePath+"/lastUpdated",schemaPath:"#/allOf/1/properties/lastUpdated/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate115.errors = [{instancePath:instancePath+"/lastUpdated",schemaPath:"#/allOf/1/properties/lastUpdated/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.columnMetrics !== undefined){
let data4 = data.columnMetrics;
const _errs12 = errors;
if(errors === _errs12){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key0 in data4){
let data5 = data4[key0];
const _errs15 = errors;
if(errors === _errs15){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.nullCount !== undefined){
let data6 = data5.nullCount;
const _errs17 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/nullCount",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/nullCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid3 = _errs17 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.distinctCount !== undefined){
let data7 = data5.distinctCount;
const _errs19 = errors;
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/distinctCount",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/distinctCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid3 = _errs19 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.sum !== undefined){
const _errs21 = errors;
if(!(typeof data5.sum == "number")){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/sum",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/sum/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs21 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.count !== undefined){
const _errs23 = errors;
if(!(typeof data5.count == "number")){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/count",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/count/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs23 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.min !== undefined){
const _errs25 = errors;
if(!(typeof data5.min == "number")){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/min",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs25 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.max !== undefined){
const _errs27 = errors;
if(!(typeof data5.max == "number")){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/max",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/max/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs27 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.quantiles !== undefined){
let data12 = data5.quantiles;
const _errs29 = errors;
if(errors === _errs29){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key1 in data12){
const _errs32 = errors;
if(!(typeof data12[key1] == "number")){
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quantiles/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/quantiles/additionalProperties/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid4 = _errs32 === errors;
if(!valid4){
break;
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quantiles",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/quantiles/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs29 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs15 === errors;
if(!valid2){
break;
}
}
}
else {
validate115.errors = [{instancePath:instancePath+"/columnMetrics",schemaPath:"#/allOf/1/properties/columnMetrics/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
else {
validate115.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate115.errors = vErrors;
return errors === 0;
}
validate115.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDataQualityMetricsInputDatasetFacet = validate122;
const schema104 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/InputDatasetFacet"},{"type":"object","required":["columnMetrics"],"properties":{"rowCount":{"description":"The number of rows evaluated","type":"integer"},"bytes":{"description":"The size in bytes","type":"integer"},"fileCount":{"description":"The number of files evaluated","type":"integer"},"lastUpdated":{"description":"The last time the dataset was changed","type":"string","format":"date-time"},"columnMetrics":{"description":"The property key is the column name","type":"object","additionalProperties":{"type":"object","properties":{"nullCount":{"description":"The number of null values in this column for the rows evaluated","type":"integer"},"distinctCount":{"description":"The number of distinct values in this column for the rows evaluated","type":"integer"},"sum":{"description":"The total sum of values in this column for the rows evaluated","type":"number"},"count":{"description":"The number of values in this column","type":"number"},"min":{"type":"number"},"max":{"type":"number"},"quantiles":{"description":"The property key is the quantile. Examples: 0.1 0.25 0.5 0.75 1","type":"object","additionalProperties":{"type":"number"}}}}}}}],"type":"object"};

function validate119(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate119.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate119.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate119.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate119.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate119.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate119.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate119.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate119.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate119.errors = vErrors;
return errors === 0;
}
validate119.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate122(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate122.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate122.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate119(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate119.errors : vErrors.concat(validate119.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.columnMetrics === undefined) && (missing0 = "columnMetrics")){
validate122.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.rowCount !== undefined){
let data0 = data.rowCount;
const _errs4 = errors;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
validate122.errors = [{instancePath:instancePath+"/rowCount",schemaPath:"#/allOf/1/properties/rowCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.bytes !== undefined){
let data1 = data.bytes;
const _errs6 = errors;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
validate122.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/allOf/1/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.fileCount !== undefined){
let data2 = data.fileCount;
const _errs8 = errors;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
validate122.errors = [{instancePath:instancePath+"/fileCount",schemaPath:"#/allOf/1/properties/fileCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.lastUpdated !== undefined){
let data3 = data.lastUpdated;
const _errs10 = errors;
if(errors === _errs10){
if(errors === _errs10){
if(typeof data3 === "string"){
if(!(formats0(data3))){
validate122.errors = [{instancePath:instancePath+"/lastUpdated",schemaPath:"#/allOf/1/properties/lastUpdated/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate122.errors = [{instancePath:instancePath+"/lastUpdated",schemaPath:"#/allOf/1/properties/lastUpdated/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.columnMetrics !== undefined){
let data4 = data.columnMetrics;
const _errs12 = errors;
if(errors === _errs12){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key0 in data4){
let data5 = data4[key0];
const _errs15 = errors;
if(errors === _errs15){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.nullCount !== undefined){
let data6 = data5.nullCount;
const _errs17 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/nullCount",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/nullCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid3 = _errs17 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.distinctCount !== undefined){
let data7 = data5.distinctCount;
const _errs19 = errors;
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/distinctCount",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/distinctCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid3 = _errs19 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.sum !== undefined){
const _errs21 = errors;
if(!(typeof data5.sum == "number")){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/sum",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/sum/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs21 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.count !== undefined){
const _errs23 = errors;
if(!(typeof data5.count == "number")){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/count",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/count/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs23 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.min !== undefined){
const _errs25 = errors;
if(!(typeof data5.min == "number")){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/min",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs25 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.max !== undefined){
const _errs27 = errors;
if(!(typeof data5.max == "number")){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/max",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/max/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs27 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.quantiles !== undefined){
let data12 = data5.quantiles;
const _errs29 = errors;
if(errors === _errs29){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key1 in data12){
const _errs32 = errors;
if(!(typeof data12[key1] == "number")){
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quantiles/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/quantiles/additionalProperties/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid4 = _errs32 === errors;
if(!valid4){
break;
}
}
}
else {
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quantiles",schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/properties/quantiles/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs29 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
else {
validate122.errors = [{instancePath:instancePath+"/columnMetrics/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/1/properties/columnMetrics/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs15 === errors;
if(!valid2){
break;
}
}
}
else {
validate122.errors = [{instancePath:instancePath+"/columnMetrics",schemaPath:"#/allOf/1/properties/columnMetrics/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
else {
validate122.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate122.errors = vErrors;
return errors === 0;
}
validate122.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDatasetTypeDatasetFacet = validate129;
const schema109 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"datasetType":{"description":"Dataset type, for example: TABLE|VIEW|FILE|TOPIC|STREAM|MODEL|JOB_OUTPUT.","type":"string","example":"FILE"},"subType":{"description":"Optional sub-type within the dataset type (e.g., MATERIALIZED, EXTERNAL, TEMPORARY).","type":"string"}},"required":["datasetType"]}],"type":"object"};

function validate126(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate126.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate126.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate126.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate126.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate126.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate126.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate126.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate126.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate126.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate126.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate126.errors = vErrors;
return errors === 0;
}
validate126.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate129(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate129.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate129.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate126(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.datasetType === undefined) && (missing0 = "datasetType")){
validate129.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.datasetType !== undefined){
const _errs4 = errors;
if(typeof data.datasetType !== "string"){
validate129.errors = [{instancePath:instancePath+"/datasetType",schemaPath:"#/allOf/1/properties/datasetType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.subType !== undefined){
const _errs6 = errors;
if(typeof data.subType !== "string"){
validate129.errors = [{instancePath:instancePath+"/subType",schemaPath:"#/allOf/1/properties/subType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate129.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate129.errors = vErrors;
return errors === 0;
}
validate129.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDatasetVersionDatasetFacet = validate136;
const schema114 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"datasetVersion":{"description":"The version of the dataset.","type":"string"}},"additionalProperties":true,"required":["datasetVersion"]}],"type":"object"};

function validate133(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate133.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate133.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate133.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate133.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate133.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate133.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate133.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate133.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate133.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate133.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate133.errors = vErrors;
return errors === 0;
}
validate133.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate136.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate136.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate133(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate133.errors : vErrors.concat(validate133.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.datasetVersion === undefined) && (missing0 = "datasetVersion")){
validate136.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.datasetVersion !== undefined){
if(typeof data.datasetVersion !== "string"){
validate136.errors = [{instancePath:instancePath+"/datasetVersion",schemaPath:"#/allOf/1/properties/datasetVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
else {
validate136.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate136.errors = vErrors;
return errors === 0;
}
validate136.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDatasourceDatasetFacet = validate143;
const schema119 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"name":{"type":"string"},"uri":{"type":"string","format":"uri"}}}],"type":"object"};

function validate140(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate140.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate140.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate140.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate140.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate140.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate140.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate140.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate140.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate140.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate140.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate140.errors = vErrors;
return errors === 0;
}
validate140.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate143(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate143.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate143.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate140(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined){
const _errs4 = errors;
if(typeof data.name !== "string"){
validate143.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.uri !== undefined){
let data1 = data.uri;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate143.errors = [{instancePath:instancePath+"/uri",schemaPath:"#/allOf/1/properties/uri/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate143.errors = [{instancePath:instancePath+"/uri",schemaPath:"#/allOf/1/properties/uri/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
else {
validate143.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate143.errors = vErrors;
return errors === 0;
}
validate143.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDocumentationDatasetFacet = validate150;
const schema124 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"description":{"description":"The description of the dataset.","type":"string","example":"canonical representation of entity Foo"},"contentType":{"description":"MIME type of the description field content.","type":"string","example":"application/json, text/markdown"}},"required":["description"]}],"type":"object"};

function validate147(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate147.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate147.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate147.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate147.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate147.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate147.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate147.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate147.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate147.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate147.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate147.errors = vErrors;
return errors === 0;
}
validate147.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate150(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate150.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate150.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate147(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate147.errors : vErrors.concat(validate147.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.description === undefined) && (missing0 = "description")){
validate150.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.description !== undefined){
const _errs4 = errors;
if(typeof data.description !== "string"){
validate150.errors = [{instancePath:instancePath+"/description",schemaPath:"#/allOf/1/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.contentType !== undefined){
const _errs6 = errors;
if(typeof data.contentType !== "string"){
validate150.errors = [{instancePath:instancePath+"/contentType",schemaPath:"#/allOf/1/properties/contentType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate150.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate150.errors = vErrors;
return errors === 0;
}
validate150.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isDocumentationJobFacet = validate157;
const schema129 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"description":{"description":"The description of the job.","type":"string"},"contentType":{"description":"MIME type of the description field content.","type":"string","example":"application/json, text/markdown"}},"required":["description"]}],"type":"object"};

function validate154(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate154.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate154.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate154.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate154.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate154.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate154.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate154.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate154.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate154.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate154.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate154.errors = vErrors;
return errors === 0;
}
validate154.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate157(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate157.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate157.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate154(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate154.errors : vErrors.concat(validate154.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.description === undefined) && (missing0 = "description")){
validate157.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.description !== undefined){
const _errs4 = errors;
if(typeof data.description !== "string"){
validate157.errors = [{instancePath:instancePath+"/description",schemaPath:"#/allOf/1/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.contentType !== undefined){
const _errs6 = errors;
if(typeof data.contentType !== "string"){
validate157.errors = [{instancePath:instancePath+"/contentType",schemaPath:"#/allOf/1/properties/contentType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate157.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate157.errors = vErrors;
return errors === 0;
}
validate157.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isEnvironmentVariablesRunFacet = validate164;
const schema134 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"environmentVariables":{"description":"The environment variables for the run.","type":"array","items":{"$ref":"#/$defs/EnvironmentVariable"}}},"required":["environmentVariables"]}],"type":"object"};
const schema137 = {"type":"object","properties":{"name":{"description":"The name of the environment variable.","type":"string"},"value":{"description":"The value of the environment variable.","type":"string"}},"required":["name","value"]};

function validate161(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate161.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate161.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate161.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate161.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate161.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate161.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate161.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate161.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate161.errors = vErrors;
return errors === 0;
}
validate161.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate164(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate164.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate164.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate161(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate161.errors : vErrors.concat(validate161.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.environmentVariables === undefined) && (missing0 = "environmentVariables")){
validate164.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.environmentVariables !== undefined){
let data0 = data.environmentVariables;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.name === undefined) && (missing1 = "name")) || ((data1.value === undefined) && (missing1 = "value"))){
validate164.errors = [{instancePath:instancePath+"/environmentVariables/" + i0,schemaPath:"#/$defs/EnvironmentVariable/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.name !== undefined){
const _errs9 = errors;
if(typeof data1.name !== "string"){
validate164.errors = [{instancePath:instancePath+"/environmentVariables/" + i0+"/name",schemaPath:"#/$defs/EnvironmentVariable/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.value !== undefined){
const _errs11 = errors;
if(typeof data1.value !== "string"){
validate164.errors = [{instancePath:instancePath+"/environmentVariables/" + i0+"/value",schemaPath:"#/$defs/EnvironmentVariable/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
}
}
}
else {
validate164.errors = [{instancePath:instancePath+"/environmentVariables/" + i0,schemaPath:"#/$defs/EnvironmentVariable/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate164.errors = [{instancePath:instancePath+"/environmentVariables",schemaPath:"#/allOf/1/properties/environmentVariables/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate164.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate164.errors = vErrors;
return errors === 0;
}
validate164.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isErrorMessageRunFacet = validate171;
const schema141 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"message":{"description":"A human-readable string representing error message generated by observed system","type":"string","example":"org.apache.spark.sql.AnalysisException: Table or view not found: wrong_table_name; line 1 pos 14"},"programmingLanguage":{"description":"Programming language the observed system uses.","type":"string","example":"JAVA"},"stackTrace":{"description":"A language-specific stack trace generated by observed system","type":"string","example":"Exception in thread \"main\" java.lang.RuntimeException: A test exception\nat io.openlineage.SomeClass.method(SomeClass.java:13)\nat io.openlineage.SomeClass.anotherMethod(SomeClass.java:9)"}},"required":["message","programmingLanguage"]}],"type":"object"};

function validate168(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate168.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate168.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate168.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate168.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate168.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate168.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate168.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate168.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate168.errors = vErrors;
return errors === 0;
}
validate168.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate171(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate171.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate171.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate168(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate168.errors : vErrors.concat(validate168.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.message === undefined) && (missing0 = "message")) || ((data.programmingLanguage === undefined) && (missing0 = "programmingLanguage"))){
validate171.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.message !== undefined){
const _errs4 = errors;
if(typeof data.message !== "string"){
validate171.errors = [{instancePath:instancePath+"/message",schemaPath:"#/allOf/1/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.programmingLanguage !== undefined){
const _errs6 = errors;
if(typeof data.programmingLanguage !== "string"){
validate171.errors = [{instancePath:instancePath+"/programmingLanguage",schemaPath:"#/allOf/1/properties/programmingLanguage/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.stackTrace !== undefined){
const _errs8 = errors;
if(typeof data.stackTrace !== "string"){
validate171.errors = [{instancePath:instancePath+"/stackTrace",schemaPath:"#/allOf/1/properties/stackTrace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
else {
validate171.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate171.errors = vErrors;
return errors === 0;
}
validate171.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isExecutionParametersRunFacet = validate178;
const schema146 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"parameters":{"description":"The parameters passed to the Job at runtime","type":"array","items":{"$ref":"#/$defs/ExecutionParameter"}}}}],"type":"object"};
const schema149 = {"type":"object","properties":{"key":{"type":"string","description":"Unique identifier of the property.","example":"task.timeout"},"name":{"type":"string","description":"Human-readable name of the property.","example":"Task timeout"},"description":{"type":"string","description":"Human-readable description of the property.","example":"How long (in seconds) can individual task run without timing out."},"value":{"type":"string","description":"Value of the property.","example":3600}},"required":["key"],"additionalProperties":false};

function validate175(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate175.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate175.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate175.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate175.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate175.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate175.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate175.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate175.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate175.errors = vErrors;
return errors === 0;
}
validate175.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate178(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate178.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate178.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate175(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate175.errors : vErrors.concat(validate175.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.parameters !== undefined){
let data0 = data.parameters;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if((data1.key === undefined) && (missing0 = "key")){
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0,schemaPath:"#/$defs/ExecutionParameter/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs9 = errors;
for(const key0 in data1){
if(!((((key0 === "key") || (key0 === "name")) || (key0 === "description")) || (key0 === "value"))){
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0,schemaPath:"#/$defs/ExecutionParameter/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs9 === errors){
if(data1.key !== undefined){
const _errs10 = errors;
if(typeof data1.key !== "string"){
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0+"/key",schemaPath:"#/$defs/ExecutionParameter/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs10 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.name !== undefined){
const _errs12 = errors;
if(typeof data1.name !== "string"){
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0+"/name",schemaPath:"#/$defs/ExecutionParameter/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs12 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.description !== undefined){
const _errs14 = errors;
if(typeof data1.description !== "string"){
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0+"/description",schemaPath:"#/$defs/ExecutionParameter/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs14 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.value !== undefined){
const _errs16 = errors;
if(typeof data1.value !== "string"){
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0+"/value",schemaPath:"#/$defs/ExecutionParameter/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs16 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
}
else {
validate178.errors = [{instancePath:instancePath+"/parameters/" + i0,schemaPath:"#/$defs/ExecutionParameter/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate178.errors = [{instancePath:instancePath+"/parameters",schemaPath:"#/allOf/1/properties/parameters/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate178.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate178.errors = vErrors;
return errors === 0;
}
validate178.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isExternalQueryRunFacet = validate185;
const schema153 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"externalQueryId":{"description":"Identifier for the external system","type":"string","example":"my-project-1234:US.bquijob_123x456_123y123z123c"},"source":{"description":"source of the external query","type":"string","example":"bigquery"}},"required":["externalQueryId","source"]}],"type":"object"};

function validate182(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate182.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate182.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate182.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate182.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate182.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate182.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate182.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate182.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate182.errors = vErrors;
return errors === 0;
}
validate182.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate185(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate185.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate185.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate182(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate182.errors : vErrors.concat(validate182.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.externalQueryId === undefined) && (missing0 = "externalQueryId")) || ((data.source === undefined) && (missing0 = "source"))){
validate185.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.externalQueryId !== undefined){
const _errs4 = errors;
if(typeof data.externalQueryId !== "string"){
validate185.errors = [{instancePath:instancePath+"/externalQueryId",schemaPath:"#/allOf/1/properties/externalQueryId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.source !== undefined){
const _errs6 = errors;
if(typeof data.source !== "string"){
validate185.errors = [{instancePath:instancePath+"/source",schemaPath:"#/allOf/1/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate185.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate185.errors = vErrors;
return errors === 0;
}
validate185.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isExtractionErrorRunFacet = validate192;
const schema158 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"totalTasks":{"description":"The number of distinguishable tasks in a run that were processed by OpenLineage, whether successfully or not. Those could be, for example, distinct SQL statements.","type":"integer"},"failedTasks":{"description":"The number of distinguishable tasks in a run that were processed not successfully by OpenLineage. Those could be, for example, distinct SQL statements.","type":"integer"},"errors":{"type":"array","items":{"type":"object","properties":{"errorMessage":{"description":"Text representation of extraction error message.","type":"string"},"stackTrace":{"description":"Stack trace of extraction error message","type":"string"},"task":{"description":"Text representation of task that failed. This can be, for example, SQL statement that parser could not interpret.","type":"string"},"taskNumber":{"description":"Order of task (counted from 0).","type":"integer"}},"required":["errorMessage"]}}},"required":["totalTasks","failedTasks","errors"]}]};

function validate189(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate189.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate189.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate189.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate189.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate189.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate189.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate189.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate189.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate189.errors = vErrors;
return errors === 0;
}
validate189.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate192(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate192.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate189(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate189.errors : vErrors.concat(validate189.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.totalTasks === undefined) && (missing0 = "totalTasks")) || ((data.failedTasks === undefined) && (missing0 = "failedTasks"))) || ((data.errors === undefined) && (missing0 = "errors"))){
validate192.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.totalTasks !== undefined){
let data0 = data.totalTasks;
const _errs3 = errors;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
validate192.errors = [{instancePath:instancePath+"/totalTasks",schemaPath:"#/allOf/1/properties/totalTasks/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.failedTasks !== undefined){
let data1 = data.failedTasks;
const _errs5 = errors;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
validate192.errors = [{instancePath:instancePath+"/failedTasks",schemaPath:"#/allOf/1/properties/failedTasks/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.errors !== undefined){
let data2 = data.errors;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data2)){
var valid2 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs9 = errors;
if(errors === _errs9){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if((data3.errorMessage === undefined) && (missing1 = "errorMessage")){
validate192.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/allOf/1/properties/errors/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data3.errorMessage !== undefined){
const _errs11 = errors;
if(typeof data3.errorMessage !== "string"){
validate192.errors = [{instancePath:instancePath+"/errors/" + i0+"/errorMessage",schemaPath:"#/allOf/1/properties/errors/items/properties/errorMessage/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs11 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data3.stackTrace !== undefined){
const _errs13 = errors;
if(typeof data3.stackTrace !== "string"){
validate192.errors = [{instancePath:instancePath+"/errors/" + i0+"/stackTrace",schemaPath:"#/allOf/1/properties/errors/items/properties/stackTrace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs13 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data3.task !== undefined){
const _errs15 = errors;
if(typeof data3.task !== "string"){
validate192.errors = [{instancePath:instancePath+"/errors/" + i0+"/task",schemaPath:"#/allOf/1/properties/errors/items/properties/task/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs15 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data3.taskNumber !== undefined){
let data7 = data3.taskNumber;
const _errs17 = errors;
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
validate192.errors = [{instancePath:instancePath+"/errors/" + i0+"/taskNumber",schemaPath:"#/allOf/1/properties/errors/items/properties/taskNumber/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid3 = _errs17 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
else {
validate192.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/allOf/1/properties/errors/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
validate192.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/allOf/1/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
else {
validate192.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
validate192.errors = vErrors;
return errors === 0;
}
validate192.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isGcpComposerJobFacet = validate199;
const schema163 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"environmentName":{"description":"Cloud Composer Environment name","type":"string"},"dagId":{"description":"The id of the DAG","type":"string"},"operator":{"description":"Operator class name. Only present for tasks, not for DAGs. For example `PythonOperator`","type":"string"},"taskId":{"description":"The id of the task. Only present for tasks, not for DAGs","type":"string"},"airflowVersion":{"description":"Version of Airflow, suffixed by `+composer`","type":"string"},"composerVersion":{"description":"Version of the Cloud Composer environment","type":"string"}},"required":["environmentName","dagId","airflowVersion","composerVersion"],"additionalProperties":true}],"type":"object"};

function validate196(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate196.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate196.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate196.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate196.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate196.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate196.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate196.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate196.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate196.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate196.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate196.errors = vErrors;
return errors === 0;
}
validate196.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate199(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate199.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate199.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate196(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate196.errors : vErrors.concat(validate196.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.environmentName === undefined) && (missing0 = "environmentName")) || ((data.dagId === undefined) && (missing0 = "dagId"))) || ((data.airflowVersion === undefined) && (missing0 = "airflowVersion"))) || ((data.composerVersion === undefined) && (missing0 = "composerVersion"))){
validate199.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.environmentName !== undefined){
const _errs5 = errors;
if(typeof data.environmentName !== "string"){
validate199.errors = [{instancePath:instancePath+"/environmentName",schemaPath:"#/allOf/1/properties/environmentName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.dagId !== undefined){
const _errs7 = errors;
if(typeof data.dagId !== "string"){
validate199.errors = [{instancePath:instancePath+"/dagId",schemaPath:"#/allOf/1/properties/dagId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.operator !== undefined){
const _errs9 = errors;
if(typeof data.operator !== "string"){
validate199.errors = [{instancePath:instancePath+"/operator",schemaPath:"#/allOf/1/properties/operator/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.taskId !== undefined){
const _errs11 = errors;
if(typeof data.taskId !== "string"){
validate199.errors = [{instancePath:instancePath+"/taskId",schemaPath:"#/allOf/1/properties/taskId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.airflowVersion !== undefined){
const _errs13 = errors;
if(typeof data.airflowVersion !== "string"){
validate199.errors = [{instancePath:instancePath+"/airflowVersion",schemaPath:"#/allOf/1/properties/airflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.composerVersion !== undefined){
const _errs15 = errors;
if(typeof data.composerVersion !== "string"){
validate199.errors = [{instancePath:instancePath+"/composerVersion",schemaPath:"#/allOf/1/properties/composerVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
else {
validate199.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate199.errors = vErrors;
return errors === 0;
}
validate199.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isGcpComposerRunFacet = validate206;
const schema168 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"dagRunId":{"description":"The id of the DAG run","type":"string"}},"required":["dagRunId"],"additionalProperties":true}],"type":"object"};

function validate203(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate203.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate203.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate203.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate203.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate203.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate203.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate203.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate203.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate203.errors = vErrors;
return errors === 0;
}
validate203.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate206(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate206.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate206.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate203(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate203.errors : vErrors.concat(validate203.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.dagRunId === undefined) && (missing0 = "dagRunId")){
validate206.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.dagRunId !== undefined){
if(typeof data.dagRunId !== "string"){
validate206.errors = [{instancePath:instancePath+"/dagRunId",schemaPath:"#/allOf/1/properties/dagRunId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
else {
validate206.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate206.errors = vErrors;
return errors === 0;
}
validate206.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isGcpDataprocRunFacet = validate213;
const schema173 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"appId":{"description":"Application ID set by the resource manager. For spark jobs, it is set in the spark configuration of the current context.","type":"string"},"appName":{"description":"App name which may be provided by the user, or some default is used by the resource manager. For spark jobs, it is set in the spark configuration of the current context.","type":"string"},"batchId":{"description":"Populated only for Dataproc serverless batches. The resource id of the batch.","type":"string"},"batchUuid":{"description":"Populated only for Dataproc serverless batches. A UUID generated by the service when it creates the batch.","type":"string"},"clusterName":{"description":"Populated only for Dataproc GCE workloads. The cluster name is unique within a GCP project.","type":"string"},"clusterUuid":{"description":"Populated only for Dataproc GCE workloads. A UUID generated by the service at the time of cluster creation.","type":"string"},"jobId":{"description":"Populated only for Dataproc GCE workloads. If not specified by the user, the job ID will be provided by the service.","type":"string"},"jobUuid":{"description":"Populated only for Dataproc GCE workloads. A UUID that uniquely identifies a job within the project over time.","type":"string"},"projectId":{"description":"The GCP project ID that the resource belongs to.","type":"string"},"queryNodeName":{"description":"The name of the query node in the executed Spark Plan. Often used to describe the command being executed.","type":"string"},"jobType":{"description":"Identifies whether the process is a job (on a Dataproc cluster), a batch or a session.","type":"string"},"sessionId":{"description":"Populated only for Dataproc serverless interactive sessions. The resource id of the session, used for URL generation.","type":"string"},"sessionUuid":{"description":"Populated only for Dataproc serverless interactive sessions. A UUID generated by the service when it creates the session.","type":"string"}},"required":["appId","appName","projectId"],"additionalProperties":true}],"type":"object"};

function validate210(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate210.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate210.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate210.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate210.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate210.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate210.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate210.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate210.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate210.errors = vErrors;
return errors === 0;
}
validate210.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate213(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate213.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate213.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate210(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate210.errors : vErrors.concat(validate210.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.appId === undefined) && (missing0 = "appId")) || ((data.appName === undefined) && (missing0 = "appName"))) || ((data.projectId === undefined) && (missing0 = "projectId"))){
validate213.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.appId !== undefined){
const _errs5 = errors;
if(typeof data.appId !== "string"){
validate213.errors = [{instancePath:instancePath+"/appId",schemaPath:"#/allOf/1/properties/appId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.appName !== undefined){
const _errs7 = errors;
if(typeof data.appName !== "string"){
validate213.errors = [{instancePath:instancePath+"/appName",schemaPath:"#/allOf/1/properties/appName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.batchId !== undefined){
const _errs9 = errors;
if(typeof data.batchId !== "string"){
validate213.errors = [{instancePath:instancePath+"/batchId",schemaPath:"#/allOf/1/properties/batchId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.batchUuid !== undefined){
const _errs11 = errors;
if(typeof data.batchUuid !== "string"){
validate213.errors = [{instancePath:instancePath+"/batchUuid",schemaPath:"#/allOf/1/properties/batchUuid/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.clusterName !== undefined){
const _errs13 = errors;
if(typeof data.clusterName !== "string"){
validate213.errors = [{instancePath:instancePath+"/clusterName",schemaPath:"#/allOf/1/properties/clusterName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.clusterUuid !== undefined){
const _errs15 = errors;
if(typeof data.clusterUuid !== "string"){
validate213.errors = [{instancePath:instancePath+"/clusterUuid",schemaPath:"#/allOf/1/properties/clusterUuid/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.jobId !== undefined){
const _errs17 = errors;
if(typeof data.jobId !== "string"){
validate213.errors = [{instancePath:instancePath+"/jobId",schemaPath:"#/allOf/1/properties/jobId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs17 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.jobUuid !== undefined){
const _errs19 = errors;
if(typeof data.jobUuid !== "string"){
validate213.errors = [{instancePath:instancePath+"/jobUuid",schemaPath:"#/allOf/1/properties/jobUuid/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs19 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.projectId !== undefined){
const _errs21 = errors;
if(typeof data.projectId !== "string"){
validate213.errors = [{instancePath:instancePath+"/projectId",schemaPath:"#/allOf/1/properties/projectId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs21 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.queryNodeName !== undefined){
const _errs23 = errors;
if(typeof data.queryNodeName !== "string"){
validate213.errors = [{instancePath:instancePath+"/queryNodeName",schemaPath:"#/allOf/1/properties/queryNodeName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs23 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.jobType !== undefined){
const _errs25 = errors;
if(typeof data.jobType !== "string"){
validate213.errors = [{instancePath:instancePath+"/jobType",schemaPath:"#/allOf/1/properties/jobType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs25 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.sessionId !== undefined){
const _errs27 = errors;
if(typeof data.sessionId !== "string"){
validate213.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/allOf/1/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs27 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.sessionUuid !== undefined){
const _errs29 = errors;
if(typeof data.sessionUuid !== "string"){
validate213.errors = [{instancePath:instancePath+"/sessionUuid",schemaPath:"#/allOf/1/properties/sessionUuid/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs29 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate213.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate213.errors = vErrors;
return errors === 0;
}
validate213.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isGcpLineageJobFacet = validate220;
const schema178 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"displayName":{"description":"The name of the job to be used on UI","type":"string"},"origin":{"type":"object","properties":{"sourceType":{"description":"Type of the source. Possible values can be found in GCP documentation (https://cloud.google.com/data-catalog/docs/reference/data-lineage/rest/v1/projects.locations.processes#SourceType) ","type":"string"},"name":{"description":"If the sourceType isn't CUSTOM, the value of this field should be a GCP resource name of the system, which reports lineage. The project and location parts of the resource name must match the project and location of the lineage resource being created. More details in GCP documentation https://cloud.google.com/data-catalog/docs/reference/data-lineage/rest/v1/projects.locations.processes#origin","type":"string"}}}},"additionalProperties":true}],"type":"object"};

function validate217(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate217.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate217.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate217.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate217.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate217.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate217.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate217.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate217.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate217.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate217.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate217.errors = vErrors;
return errors === 0;
}
validate217.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate220(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate220.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate220.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate217(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate217.errors : vErrors.concat(validate217.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.displayName !== undefined){
const _errs5 = errors;
if(typeof data.displayName !== "string"){
validate220.errors = [{instancePath:instancePath+"/displayName",schemaPath:"#/allOf/1/properties/displayName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.origin !== undefined){
let data1 = data.origin;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.sourceType !== undefined){
const _errs9 = errors;
if(typeof data1.sourceType !== "string"){
validate220.errors = [{instancePath:instancePath+"/origin/sourceType",schemaPath:"#/allOf/1/properties/origin/properties/sourceType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs9 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.name !== undefined){
const _errs11 = errors;
if(typeof data1.name !== "string"){
validate220.errors = [{instancePath:instancePath+"/origin/name",schemaPath:"#/allOf/1/properties/origin/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs11 === errors;
}
else {
var valid2 = true;
}
}
}
else {
validate220.errors = [{instancePath:instancePath+"/origin",schemaPath:"#/allOf/1/properties/origin/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
else {
validate220.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate220.errors = vErrors;
return errors === 0;
}
validate220.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isHierarchyDatasetFacet = validate227;
const schema183 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"hierarchy":{"type":"array","description":"Dataset hierarchy levels (e.g. DATABASE -> SCHEMA -> TABLE), from highest to lowest level. The order is important","items":{"$ref":"#/$defs/HierarchyDatasetFacetLevel"}}},"required":["hierarchy"]}],"type":"object"};
const schema186 = {"type":"object","properties":{"type":{"type":"string","description":"Dataset hierarchy level type","example":"DATABASE|SCHEMA|TABLE"},"name":{"description":"Dataset hierarchy level name","type":"string","example":"my_db|my_schema|my_table"}},"required":["type","name"]};

function validate224(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate224.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate224.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate224.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate224.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate224.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate224.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate224.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate224.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate224.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate224.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate224.errors = vErrors;
return errors === 0;
}
validate224.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate227(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate227.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate227.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate224(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate224.errors : vErrors.concat(validate224.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.hierarchy === undefined) && (missing0 = "hierarchy")){
validate227.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.hierarchy !== undefined){
let data0 = data.hierarchy;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.type === undefined) && (missing1 = "type")) || ((data1.name === undefined) && (missing1 = "name"))){
validate227.errors = [{instancePath:instancePath+"/hierarchy/" + i0,schemaPath:"#/$defs/HierarchyDatasetFacetLevel/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.type !== undefined){
const _errs9 = errors;
if(typeof data1.type !== "string"){
validate227.errors = [{instancePath:instancePath+"/hierarchy/" + i0+"/type",schemaPath:"#/$defs/HierarchyDatasetFacetLevel/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.name !== undefined){
const _errs11 = errors;
if(typeof data1.name !== "string"){
validate227.errors = [{instancePath:instancePath+"/hierarchy/" + i0+"/name",schemaPath:"#/$defs/HierarchyDatasetFacetLevel/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
}
}
}
else {
validate227.errors = [{instancePath:instancePath+"/hierarchy/" + i0,schemaPath:"#/$defs/HierarchyDatasetFacetLevel/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate227.errors = [{instancePath:instancePath+"/hierarchy",schemaPath:"#/allOf/1/properties/hierarchy/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate227.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate227.errors = vErrors;
return errors === 0;
}
validate227.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isIcebergCommitReportOutputDatasetFacet = validate234;
const schema190 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/OutputDatasetFacet"},{"type":"object","properties":{"snapshotId":{"description":"Snapshot ID of the iceberg table","type":"number"},"sequenceNumber":{"description":"Sequence number of the iceberg table","type":"number"},"operation":{"description":"Operation that was performed on the iceberg table","type":"string"},"commitMetrics":{"type":"object","properties":{"totalDuration":{"description":"Duration of the commit in MILLISECONDS","type":"number"},"attempts":{"description":"Number of attempts made to commit the iceberg table","type":"number"},"addedDataFiles":{"description":"Number of data files that are added during the commit","type":"number"},"removedDataFiles":{"description":"Number of data files that are removed during the commit","type":"number"},"totalDataFiles":{"description":"Total number of data files that are present in the iceberg table","type":"number"},"addedDeleteFiles":{"description":"Number of delete files that are added during the commit","type":"number"},"addedEqualityDeleteFiles":{"description":"Number of added equality delete files","type":"number"},"addedPositionalDeleteFiles":{"description":"Number of added positional delete files","type":"number"},"addedDVs":{"description":"Number of added DVs","type":"number"},"removedDeleteFiles":{"description":"Number of delete files that are removed during the commit","type":"number"},"removedEqualityDeleteFiles":{"description":"Number of removed equality delete files","type":"number"},"removedPositionalDeleteFiles":{"description":"Number of removed positional delete files","type":"number"},"removedDVs":{"description":"Number of removed DVs","type":"number"},"totalDeleteFiles":{"description":"Total number of temporary delete files that are present in the iceberg table","type":"number"},"addedRecords":{"description":"Number of records that are added during the commit","type":"number"},"removedRecords":{"description":"Number of records that are removed during the commit","type":"number"},"totalRecords":{"description":"Number of records that are present in the iceberg table","type":"number"},"addedFilesSizeInBytes":{"description":"Number of files size in bytes that are added during the commit","type":"number"},"removedFilesSizeInBytes":{"description":"Number of files size in bytes that are removed during the commit","type":"number"},"totalFilesSizeInBytes":{"description":"Number of files size in bytes in the iceberg table","type":"number"},"addedPositionalDeletes":{"description":"Number of positional deletes that are added during the commit","type":"number"},"removedPositionalDeletes":{"description":"Number of positional deletes that are removed during the commit","type":"number"},"totalPositionalDeletes":{"description":"Number of positional deletes that are present in the iceberg table","type":"number"},"addedEqualityDeletes":{"description":"Number of equality deletes that are added during the commit","type":"number"},"removedEqualityDeletes":{"description":"Number of equality deletes that are removed during the commit","type":"number"},"totalEqualityDeletes":{"description":"Number of equality deletes that are present in the iceberg table","type":"number"}}},"metadata":{"type":"object","additionalProperties":true}},"additionalProperties":true}],"type":"object"};

function validate231(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate231.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate231.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate231.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate231.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate231.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate231.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate231.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate231.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate231.errors = vErrors;
return errors === 0;
}
validate231.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate234(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate234.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate234.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate231(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.snapshotId !== undefined){
const _errs5 = errors;
if(!(typeof data.snapshotId == "number")){
validate234.errors = [{instancePath:instancePath+"/snapshotId",schemaPath:"#/allOf/1/properties/snapshotId/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.sequenceNumber !== undefined){
const _errs7 = errors;
if(!(typeof data.sequenceNumber == "number")){
validate234.errors = [{instancePath:instancePath+"/sequenceNumber",schemaPath:"#/allOf/1/properties/sequenceNumber/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.operation !== undefined){
const _errs9 = errors;
if(typeof data.operation !== "string"){
validate234.errors = [{instancePath:instancePath+"/operation",schemaPath:"#/allOf/1/properties/operation/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.commitMetrics !== undefined){
let data3 = data.commitMetrics;
const _errs11 = errors;
if(errors === _errs11){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.totalDuration !== undefined){
const _errs13 = errors;
if(!(typeof data3.totalDuration == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalDuration",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalDuration/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs13 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.attempts !== undefined){
const _errs15 = errors;
if(!(typeof data3.attempts == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/attempts",schemaPath:"#/allOf/1/properties/commitMetrics/properties/attempts/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs15 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedDataFiles !== undefined){
const _errs17 = errors;
if(!(typeof data3.addedDataFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedDataFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedDataFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs17 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedDataFiles !== undefined){
const _errs19 = errors;
if(!(typeof data3.removedDataFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedDataFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedDataFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs19 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.totalDataFiles !== undefined){
const _errs21 = errors;
if(!(typeof data3.totalDataFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalDataFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalDataFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs21 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedDeleteFiles !== undefined){
const _errs23 = errors;
if(!(typeof data3.addedDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs23 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedEqualityDeleteFiles !== undefined){
const _errs25 = errors;
if(!(typeof data3.addedEqualityDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedEqualityDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedEqualityDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs25 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedPositionalDeleteFiles !== undefined){
const _errs27 = errors;
if(!(typeof data3.addedPositionalDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedPositionalDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedPositionalDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs27 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedDVs !== undefined){
const _errs29 = errors;
if(!(typeof data3.addedDVs == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedDVs",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedDVs/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs29 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedDeleteFiles !== undefined){
const _errs31 = errors;
if(!(typeof data3.removedDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs31 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedEqualityDeleteFiles !== undefined){
const _errs33 = errors;
if(!(typeof data3.removedEqualityDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedEqualityDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedEqualityDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs33 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedPositionalDeleteFiles !== undefined){
const _errs35 = errors;
if(!(typeof data3.removedPositionalDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedPositionalDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedPositionalDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs35 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedDVs !== undefined){
const _errs37 = errors;
if(!(typeof data3.removedDVs == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedDVs",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedDVs/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs37 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.totalDeleteFiles !== undefined){
const _errs39 = errors;
if(!(typeof data3.totalDeleteFiles == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalDeleteFiles",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs39 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedRecords !== undefined){
const _errs41 = errors;
if(!(typeof data3.addedRecords == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedRecords",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedRecords/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs41 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedRecords !== undefined){
const _errs43 = errors;
if(!(typeof data3.removedRecords == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedRecords",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedRecords/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs43 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.totalRecords !== undefined){
const _errs45 = errors;
if(!(typeof data3.totalRecords == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalRecords",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalRecords/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs45 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedFilesSizeInBytes !== undefined){
const _errs47 = errors;
if(!(typeof data3.addedFilesSizeInBytes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedFilesSizeInBytes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedFilesSizeInBytes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs47 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedFilesSizeInBytes !== undefined){
const _errs49 = errors;
if(!(typeof data3.removedFilesSizeInBytes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedFilesSizeInBytes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedFilesSizeInBytes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs49 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.totalFilesSizeInBytes !== undefined){
const _errs51 = errors;
if(!(typeof data3.totalFilesSizeInBytes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalFilesSizeInBytes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalFilesSizeInBytes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs51 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedPositionalDeletes !== undefined){
const _errs53 = errors;
if(!(typeof data3.addedPositionalDeletes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedPositionalDeletes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedPositionalDeletes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs53 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedPositionalDeletes !== undefined){
const _errs55 = errors;
if(!(typeof data3.removedPositionalDeletes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedPositionalDeletes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedPositionalDeletes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs55 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.totalPositionalDeletes !== undefined){
const _errs57 = errors;
if(!(typeof data3.totalPositionalDeletes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalPositionalDeletes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalPositionalDeletes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs57 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.addedEqualityDeletes !== undefined){
const _errs59 = errors;
if(!(typeof data3.addedEqualityDeletes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/addedEqualityDeletes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/addedEqualityDeletes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs59 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.removedEqualityDeletes !== undefined){
const _errs61 = errors;
if(!(typeof data3.removedEqualityDeletes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/removedEqualityDeletes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/removedEqualityDeletes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs61 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.totalEqualityDeletes !== undefined){
const _errs63 = errors;
if(!(typeof data3.totalEqualityDeletes == "number")){
validate234.errors = [{instancePath:instancePath+"/commitMetrics/totalEqualityDeletes",schemaPath:"#/allOf/1/properties/commitMetrics/properties/totalEqualityDeletes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid2 = _errs63 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate234.errors = [{instancePath:instancePath+"/commitMetrics",schemaPath:"#/allOf/1/properties/commitMetrics/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.metadata !== undefined){
let data30 = data.metadata;
const _errs65 = errors;
if(errors === _errs65){
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
}
else {
validate234.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/allOf/1/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs65 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
else {
validate234.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate234.errors = vErrors;
return errors === 0;
}
validate234.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isIcebergScanReportInputDatasetFacet = validate241;
const schema195 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/InputDatasetFacet"},{"type":"object","properties":{"snapshotId":{"description":"Snapshot ID of the iceberg table","type":"number"},"filterDescription":{"description":"Filter used to scan the iceberg table","type":"string"},"schemaId":{"description":"Schema ID of the iceberg table","type":"number"},"projectedFieldNames":{"description":"List of field names that are projected from the iceberg table","type":"array","items":{"type":"string"}},"scanMetrics":{"type":"object","properties":{"totalPlanningDuration":{"description":"Duration of the scan in MILLISECONDS","type":"number"},"resultDataFiles":{"description":"List of data files that are read during the scan","type":"number"},"resultDeleteFiles":{"description":"List of delete files that are read during the scan","type":"number"},"totalDataManifests":{"description":"Total number of manifests that are scanned during the scan","type":"number"},"totalDeleteManifests":{"description":"Total number of delete manifests that are scanned during the scan","type":"number"},"scannedDataManifests":{"description":"Number of data manifests that are scanned during the scan","type":"number"},"skippedDataManifests":{"description":"Number of data manifests that are skipped during the scan","type":"number"},"totalFileSizeInBytes":{"description":"Total file size in bytes that are read during the scan","type":"number"},"totalDeleteFileSizeInBytes":{"description":"Total delete file size in bytes that are read during the scan","type":"number"},"skippedDataFiles":{"description":"Number of data files that are skipped during the scan","type":"number"},"skippedDeleteFiles":{"description":"Number of delete files that are skipped during the scan","type":"number"},"scannedDeleteManifests":{"description":"Number of delete manifests that are scanned during the scan","type":"number"},"skippedDeleteManifests":{"description":"Number of delete manifests that are skipped during the scan","type":"number"},"indexedDeleteFiles":{"description":"Number of delete files that are indexed during the scan","type":"number"},"equalityDeleteFiles":{"description":"Number of delete files that are equality indexed during the scan","type":"number"},"positionalDeleteFiles":{"description":"Number of delete files that are positional indexed during the scan","type":"number"}}},"metadata":{"type":"object","additionalProperties":true}},"additionalProperties":true}],"type":"object"};

function validate238(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate238.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate238.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate238.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate238.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate238.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate238.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate238.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate238.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate238.errors = vErrors;
return errors === 0;
}
validate238.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate241(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate241.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate241.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate238(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate238.errors : vErrors.concat(validate238.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.snapshotId !== undefined){
const _errs5 = errors;
if(!(typeof data.snapshotId == "number")){
validate241.errors = [{instancePath:instancePath+"/snapshotId",schemaPath:"#/allOf/1/properties/snapshotId/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.filterDescription !== undefined){
const _errs7 = errors;
if(typeof data.filterDescription !== "string"){
validate241.errors = [{instancePath:instancePath+"/filterDescription",schemaPath:"#/allOf/1/properties/filterDescription/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.schemaId !== undefined){
const _errs9 = errors;
if(!(typeof data.schemaId == "number")){
validate241.errors = [{instancePath:instancePath+"/schemaId",schemaPath:"#/allOf/1/properties/schemaId/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.projectedFieldNames !== undefined){
let data3 = data.projectedFieldNames;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data3)){
var valid2 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs13 = errors;
if(typeof data3[i0] !== "string"){
validate241.errors = [{instancePath:instancePath+"/projectedFieldNames/" + i0,schemaPath:"#/allOf/1/properties/projectedFieldNames/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs13 === errors;
if(!valid2){
break;
}
}
}
else {
validate241.errors = [{instancePath:instancePath+"/projectedFieldNames",schemaPath:"#/allOf/1/properties/projectedFieldNames/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.scanMetrics !== undefined){
let data5 = data.scanMetrics;
const _errs15 = errors;
if(errors === _errs15){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.totalPlanningDuration !== undefined){
const _errs17 = errors;
if(!(typeof data5.totalPlanningDuration == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/totalPlanningDuration",schemaPath:"#/allOf/1/properties/scanMetrics/properties/totalPlanningDuration/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs17 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.resultDataFiles !== undefined){
const _errs19 = errors;
if(!(typeof data5.resultDataFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/resultDataFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/resultDataFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs19 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.resultDeleteFiles !== undefined){
const _errs21 = errors;
if(!(typeof data5.resultDeleteFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/resultDeleteFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/resultDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs21 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.totalDataManifests !== undefined){
const _errs23 = errors;
if(!(typeof data5.totalDataManifests == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/totalDataManifests",schemaPath:"#/allOf/1/properties/scanMetrics/properties/totalDataManifests/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs23 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.totalDeleteManifests !== undefined){
const _errs25 = errors;
if(!(typeof data5.totalDeleteManifests == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/totalDeleteManifests",schemaPath:"#/allOf/1/properties/scanMetrics/properties/totalDeleteManifests/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs25 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.scannedDataManifests !== undefined){
const _errs27 = errors;
if(!(typeof data5.scannedDataManifests == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/scannedDataManifests",schemaPath:"#/allOf/1/properties/scanMetrics/properties/scannedDataManifests/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs27 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.skippedDataManifests !== undefined){
const _errs29 = errors;
if(!(typeof data5.skippedDataManifests == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/skippedDataManifests",schemaPath:"#/allOf/1/properties/scanMetrics/properties/skippedDataManifests/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs29 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.totalFileSizeInBytes !== undefined){
const _errs31 = errors;
if(!(typeof data5.totalFileSizeInBytes == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/totalFileSizeInBytes",schemaPath:"#/allOf/1/properties/scanMetrics/properties/totalFileSizeInBytes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs31 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.totalDeleteFileSizeInBytes !== undefined){
const _errs33 = errors;
if(!(typeof data5.totalDeleteFileSizeInBytes == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/totalDeleteFileSizeInBytes",schemaPath:"#/allOf/1/properties/scanMetrics/properties/totalDeleteFileSizeInBytes/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs33 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.skippedDataFiles !== undefined){
const _errs35 = errors;
if(!(typeof data5.skippedDataFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/skippedDataFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/skippedDataFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs35 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.skippedDeleteFiles !== undefined){
const _errs37 = errors;
if(!(typeof data5.skippedDeleteFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/skippedDeleteFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/skippedDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs37 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.scannedDeleteManifests !== undefined){
const _errs39 = errors;
if(!(typeof data5.scannedDeleteManifests == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/scannedDeleteManifests",schemaPath:"#/allOf/1/properties/scanMetrics/properties/scannedDeleteManifests/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs39 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.skippedDeleteManifests !== undefined){
const _errs41 = errors;
if(!(typeof data5.skippedDeleteManifests == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/skippedDeleteManifests",schemaPath:"#/allOf/1/properties/scanMetrics/properties/skippedDeleteManifests/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs41 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.indexedDeleteFiles !== undefined){
const _errs43 = errors;
if(!(typeof data5.indexedDeleteFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/indexedDeleteFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/indexedDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs43 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.equalityDeleteFiles !== undefined){
const _errs45 = errors;
if(!(typeof data5.equalityDeleteFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/equalityDeleteFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/equalityDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs45 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.positionalDeleteFiles !== undefined){
const _errs47 = errors;
if(!(typeof data5.positionalDeleteFiles == "number")){
validate241.errors = [{instancePath:instancePath+"/scanMetrics/positionalDeleteFiles",schemaPath:"#/allOf/1/properties/scanMetrics/properties/positionalDeleteFiles/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid3 = _errs47 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate241.errors = [{instancePath:instancePath+"/scanMetrics",schemaPath:"#/allOf/1/properties/scanMetrics/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.metadata !== undefined){
let data22 = data.metadata;
const _errs49 = errors;
if(errors === _errs49){
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
}
else {
validate241.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/allOf/1/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs49 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
else {
validate241.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate241.errors = vErrors;
return errors === 0;
}
validate241.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isInputStatisticsInputDatasetFacet = validate248;
const schema200 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/InputDatasetFacet"},{"type":"object","properties":{"rowCount":{"description":"The number of rows read","type":"integer"},"size":{"description":"The size in bytes read","type":"integer"},"fileCount":{"description":"The number of files read","type":"integer"}}}]};

function validate245(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate245.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate245.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate245.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate245.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate245.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate245.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate245.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate245.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate245.errors = vErrors;
return errors === 0;
}
validate245.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate248(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate248.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate245(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate245.errors : vErrors.concat(validate245.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.rowCount !== undefined){
let data0 = data.rowCount;
const _errs3 = errors;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
validate248.errors = [{instancePath:instancePath+"/rowCount",schemaPath:"#/allOf/1/properties/rowCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.size !== undefined){
let data1 = data.size;
const _errs5 = errors;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
validate248.errors = [{instancePath:instancePath+"/size",schemaPath:"#/allOf/1/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.fileCount !== undefined){
let data2 = data.fileCount;
const _errs7 = errors;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
validate248.errors = [{instancePath:instancePath+"/fileCount",schemaPath:"#/allOf/1/properties/fileCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate248.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
validate248.errors = vErrors;
return errors === 0;
}
validate248.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isJobDependenciesRunFacet = validate258;
const schema205 = {"description":"Maps execution dependencies (control flow relationships) between upstream and downstream job runs","allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"upstream":{"description":"Job runs that must complete before the current run can start.","type":"array","items":{"$ref":"#/$defs/JobDependency"}},"downstream":{"description":"Job runs that will start after completion of the current run.","type":"array","items":{"$ref":"#/$defs/JobDependency"}},"trigger_rule":{"type":"string","description":"Specifies the condition under which this job will run based on the status of upstream jobs.","example":"ALL_SUCCESS|ALL_DONE|ONE_SUCCESS|NONE_FAILED"}}}],"type":"object"};

function validate252(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate252.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate252.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate252.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate252.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate252.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate252.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate252.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate252.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate252.errors = vErrors;
return errors === 0;
}
validate252.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema208 = {"type":"object","description":"Used to store all information about job dependency (e.g., job, run, etc.).","additionalProperties":true,"properties":{"job":{"$ref":"#/$defs/JobIdentifier"},"run":{"$ref":"#/$defs/RunIdentifier"},"dependency_type":{"type":"string","description":"Used to describe whether the upstream job directly triggers the downstream job, or whether the dependency is implicit (e.g. time-based).","example":"DIRECT_INVOCATION|IMPLICIT_DEPENDENCY"},"sequence_trigger_rule":{"type":"string","description":"Used to describe the exact sequence condition on which the downstream job can be executed (FINISH_TO_START - downstream job can start when upstream finished; FINISH_TO_FINISH - job executions can overlap, but need to finish in specified order; START_TO_START - jobs need to start at the same time in parallel).","example":"FINISH_TO_START|FINISH_TO_FINISH|START_TO_START"},"status_trigger_rule":{"type":"string","description":"Used to describe if the downstream job should be run based on the status of the upstream job.","example":"EXECUTE_EVERY_TIME|EXECUTE_ON_SUCCESS|EXECUTE_ON_FAILURE"}},"required":["job"]};
const schema209 = {"type":"object","description":"Used to store information about job (e.g., namespace and name).","properties":{"namespace":{"description":"The namespace containing the job","type":"string"},"name":{"description":"The unique name of a job within that namespace","type":"string"}},"required":["namespace","name"]};
const schema210 = {"type":"object","description":"Used to store information about run (e.g., runId).","properties":{"runId":{"description":"The globally unique ID of the run.","type":"string","format":"uuid"}},"required":["runId"]};

function validate254(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate254.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.job === undefined) && (missing0 = "job")){
validate254.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.job !== undefined){
let data0 = data.job;
const _errs2 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing1;
if(((data0.namespace === undefined) && (missing1 = "namespace")) || ((data0.name === undefined) && (missing1 = "name"))){
validate254.errors = [{instancePath:instancePath+"/job",schemaPath:"#/$defs/JobIdentifier/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data0.namespace !== undefined){
const _errs5 = errors;
if(typeof data0.namespace !== "string"){
validate254.errors = [{instancePath:instancePath+"/job/namespace",schemaPath:"#/$defs/JobIdentifier/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data0.name !== undefined){
const _errs7 = errors;
if(typeof data0.name !== "string"){
validate254.errors = [{instancePath:instancePath+"/job/name",schemaPath:"#/$defs/JobIdentifier/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate254.errors = [{instancePath:instancePath+"/job",schemaPath:"#/$defs/JobIdentifier/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run !== undefined){
let data3 = data.run;
const _errs9 = errors;
const _errs10 = errors;
if(errors === _errs10){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing2;
if((data3.runId === undefined) && (missing2 = "runId")){
validate254.errors = [{instancePath:instancePath+"/run",schemaPath:"#/$defs/RunIdentifier/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data3.runId !== undefined){
let data4 = data3.runId;
const _errs12 = errors;
if(errors === _errs12){
if(errors === _errs12){
if(typeof data4 === "string"){
if(!(formats6(data4))){
validate254.errors = [{instancePath:instancePath+"/run/runId",schemaPath:"#/$defs/RunIdentifier/properties/runId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate254.errors = [{instancePath:instancePath+"/run/runId",schemaPath:"#/$defs/RunIdentifier/properties/runId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
}
else {
validate254.errors = [{instancePath:instancePath+"/run",schemaPath:"#/$defs/RunIdentifier/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dependency_type !== undefined){
const _errs14 = errors;
if(typeof data.dependency_type !== "string"){
validate254.errors = [{instancePath:instancePath+"/dependency_type",schemaPath:"#/properties/dependency_type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sequence_trigger_rule !== undefined){
const _errs16 = errors;
if(typeof data.sequence_trigger_rule !== "string"){
validate254.errors = [{instancePath:instancePath+"/sequence_trigger_rule",schemaPath:"#/properties/sequence_trigger_rule/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status_trigger_rule !== undefined){
const _errs18 = errors;
if(typeof data.status_trigger_rule !== "string"){
validate254.errors = [{instancePath:instancePath+"/status_trigger_rule",schemaPath:"#/properties/status_trigger_rule/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate254.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate254.errors = vErrors;
return errors === 0;
}
validate254.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate258(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate258.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate258.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate252(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate252.errors : vErrors.concat(validate252.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.upstream !== undefined){
let data0 = data.upstream;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate254(data0[i0], {instancePath:instancePath+"/upstream/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate254.errors : vErrors.concat(validate254.errors);
errors = vErrors.length;
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate258.errors = [{instancePath:instancePath+"/upstream",schemaPath:"#/allOf/1/properties/upstream/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.downstream !== undefined){
let data2 = data.downstream;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data2)){
var valid3 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs9 = errors;
if(!(validate254(data2[i1], {instancePath:instancePath+"/downstream/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate254.errors : vErrors.concat(validate254.errors);
errors = vErrors.length;
}
var valid3 = _errs9 === errors;
if(!valid3){
break;
}
}
}
else {
validate258.errors = [{instancePath:instancePath+"/downstream",schemaPath:"#/allOf/1/properties/downstream/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.trigger_rule !== undefined){
const _errs10 = errors;
if(typeof data.trigger_rule !== "string"){
validate258.errors = [{instancePath:instancePath+"/trigger_rule",schemaPath:"#/allOf/1/properties/trigger_rule/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate258.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate258.errors = vErrors;
return errors === 0;
}
validate258.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isJobTypeJobFacet = validate267;
const schema213 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"processingType":{"description":"Job processing type: BATCH (finite jobs with clear start/end), STREAMING (continuous jobs processing data streams), or SERVICE (continuous long-running services). BATCH jobs are finite and emit START/COMPLETE/FAIL/ABORT events. STREAMING and SERVICE jobs are continuous with no natural completion point.","type":"string","example":"BATCH"},"integration":{"description":"OpenLineage integration type of this job: for example SPARK|DBT|AIRFLOW|FLINK","type":"string","example":"SPARK"},"jobType":{"description":"Run type, for example: QUERY|COMMAND|DAG|TASK|JOB|MODEL. This is an integration-specific field.","type":"string","example":"QUERY"},"emissionPattern":{"description":"Describes how and what the job emits in its events","type":"object","properties":{"eventTrigger":{"description":"Defines when events are emitted. EVENT_BASED: events emitted on lifecycle transitions (START/COMPLETE/FAIL/ABORT). PERIODIC: events emitted at regular time intervals.","type":"string","example":"EVENT_BASED"},"eventContentMode":{"description":"Define if individual events are self-sufficient and can be processed individually, or need to be combined by consumer. ACCUMULATIVE: Events may contain only partial information and the complete information can be collected by combining information from all the events emitted by a specific job run. COMPLETE_SNAPSHOT: events contain complete state for a specific time window (events can be processed independently).","type":"string","example":"ACCUMULATIVE"},"windowDuration":{"description":"Time window duration for periodic event emissions in seconds. Only applicable when eventTrigger is PERIODIC. Required when eventTrigger is PERIODIC and eventContentMode is COMPLETE_SNAPSHOT.","type":"integer","minimum":1,"example":300}},"required":["eventTrigger","eventContentMode"]}},"required":["processingType","integration"]}],"type":"object"};

function validate264(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate264.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate264.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate264.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate264.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate264.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate264.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate264.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate264.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate264.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate264.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate264.errors = vErrors;
return errors === 0;
}
validate264.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate267(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate267.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate267.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate264(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate264.errors : vErrors.concat(validate264.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.processingType === undefined) && (missing0 = "processingType")) || ((data.integration === undefined) && (missing0 = "integration"))){
validate267.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.processingType !== undefined){
const _errs4 = errors;
if(typeof data.processingType !== "string"){
validate267.errors = [{instancePath:instancePath+"/processingType",schemaPath:"#/allOf/1/properties/processingType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.integration !== undefined){
const _errs6 = errors;
if(typeof data.integration !== "string"){
validate267.errors = [{instancePath:instancePath+"/integration",schemaPath:"#/allOf/1/properties/integration/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.jobType !== undefined){
const _errs8 = errors;
if(typeof data.jobType !== "string"){
validate267.errors = [{instancePath:instancePath+"/jobType",schemaPath:"#/allOf/1/properties/jobType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.emissionPattern !== undefined){
let data3 = data.emissionPattern;
const _errs10 = errors;
if(errors === _errs10){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if(((data3.eventTrigger === undefined) && (missing1 = "eventTrigger")) || ((data3.eventContentMode === undefined) && (missing1 = "eventContentMode"))){
validate267.errors = [{instancePath:instancePath+"/emissionPattern",schemaPath:"#/allOf/1/properties/emissionPattern/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data3.eventTrigger !== undefined){
const _errs12 = errors;
if(typeof data3.eventTrigger !== "string"){
validate267.errors = [{instancePath:instancePath+"/emissionPattern/eventTrigger",schemaPath:"#/allOf/1/properties/emissionPattern/properties/eventTrigger/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs12 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.eventContentMode !== undefined){
const _errs14 = errors;
if(typeof data3.eventContentMode !== "string"){
validate267.errors = [{instancePath:instancePath+"/emissionPattern/eventContentMode",schemaPath:"#/allOf/1/properties/emissionPattern/properties/eventContentMode/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs14 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.windowDuration !== undefined){
let data6 = data3.windowDuration;
const _errs16 = errors;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
validate267.errors = [{instancePath:instancePath+"/emissionPattern/windowDuration",schemaPath:"#/allOf/1/properties/emissionPattern/properties/windowDuration/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs16){
if(typeof data6 == "number"){
if(data6 < 1 || isNaN(data6)){
validate267.errors = [{instancePath:instancePath+"/emissionPattern/windowDuration",schemaPath:"#/allOf/1/properties/emissionPattern/properties/windowDuration/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid2 = _errs16 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate267.errors = [{instancePath:instancePath+"/emissionPattern",schemaPath:"#/allOf/1/properties/emissionPattern/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
else {
validate267.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate267.errors = vErrors;
return errors === 0;
}
validate267.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isLifecycleStateChangeDatasetFacet = validate274;
const schema218 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"lifecycleStateChange":{"description":"The lifecycle state change.","type":"string","enum":["ALTER","CREATE","DROP","OVERWRITE","RENAME","TRUNCATE"]},"previousIdentifier":{"description":"Previous name of the dataset in case of renaming it.","type":"object","properties":{"name":{"documentation":"Previous dataset name.","type":"string"},"namespace":{"documentation":"Previous dataset namespace.","type":"string"}},"required":["name","namespace"]}},"required":["lifecycleStateChange"]}],"type":"object"};

function validate271(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate271.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate271.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate271.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate271.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate271.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate271.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate271.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate271.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate271.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate271.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate271.errors = vErrors;
return errors === 0;
}
validate271.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate274(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate274.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate274.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate271(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate271.errors : vErrors.concat(validate271.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.lifecycleStateChange === undefined) && (missing0 = "lifecycleStateChange")){
validate274.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.lifecycleStateChange !== undefined){
let data0 = data.lifecycleStateChange;
const _errs4 = errors;
if(typeof data0 !== "string"){
validate274.errors = [{instancePath:instancePath+"/lifecycleStateChange",schemaPath:"#/allOf/1/properties/lifecycleStateChange/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((((data0 === "ALTER") || (data0 === "CREATE")) || (data0 === "DROP")) || (data0 === "OVERWRITE")) || (data0 === "RENAME")) || (data0 === "TRUNCATE"))){
validate274.errors = [{instancePath:instancePath+"/lifecycleStateChange",schemaPath:"#/allOf/1/properties/lifecycleStateChange/enum",keyword:"enum",params:{allowedValues: schema218.allOf[1].properties.lifecycleStateChange.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.previousIdentifier !== undefined){
let data1 = data.previousIdentifier;
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.name === undefined) && (missing1 = "name")) || ((data1.namespace === undefined) && (missing1 = "namespace"))){
validate274.errors = [{instancePath:instancePath+"/previousIdentifier",schemaPath:"#/allOf/1/properties/previousIdentifier/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.name !== undefined){
const _errs8 = errors;
if(typeof data1.name !== "string"){
validate274.errors = [{instancePath:instancePath+"/previousIdentifier/name",schemaPath:"#/allOf/1/properties/previousIdentifier/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.namespace !== undefined){
const _errs10 = errors;
if(typeof data1.namespace !== "string"){
validate274.errors = [{instancePath:instancePath+"/previousIdentifier/namespace",schemaPath:"#/allOf/1/properties/previousIdentifier/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate274.errors = [{instancePath:instancePath+"/previousIdentifier",schemaPath:"#/allOf/1/properties/previousIdentifier/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate274.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate274.errors = vErrors;
return errors === 0;
}
validate274.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isLineageDatasetFacet = validate303;
const schema223 = {"type":"object","description":"Explicit lineage for this dataset. Describes which source entities feed into it, at entity and/or field granularity.","allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"inputs":{"type":"array","description":"Dataset-level source inputs. A source with a field represents a dataset-wide operation where that field affects the entire target dataset.","items":{"$ref":"#/$defs/LineageInput"}},"fields":{"type":"object","description":"Field-level lineage. Maps target field names to their source inputs.","additionalProperties":{"$ref":"#/$defs/LineageFieldEntry"}}}}]};

function validate278(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate278.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate278.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate278.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate278.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate278.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate278.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate278.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate278.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate278.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate278.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate278.errors = vErrors;
return errors === 0;
}
validate278.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema226 = {"description":"A source dataset or job in an explicit lineage relationship.","oneOf":[{"$ref":"#/$defs/LineageDatasetInput"},{"$ref":"#/$defs/LineageJobInput"}]};
const schema227 = {"type":"object","description":"A source dataset that feeds data into a lineage target.","properties":{"namespace":{"type":"string","description":"The namespace of the source dataset."},"name":{"type":"string","description":"The name of the source dataset."},"type":{"type":"string","enum":["DATASET"],"description":"The source entity type. Must be DATASET."},"field":{"type":"string","description":"The source field. At entity level it represents a dataset-wide dependency; at field level it identifies the source field."},"transformations":{"type":"array","description":"Transformations applied to the source data.","items":{"$ref":"#/$defs/LineageTransformation"}}},"required":["namespace","name","type"]};
const schema228 = {"type":"object","description":"A transformation applied to source data in a lineage relationship.","properties":{"type":{"type":"string","description":"The transformation type, such as DIRECT or INDIRECT."},"subtype":{"type":"string","description":"The transformation subtype, such as IDENTITY, AGGREGATION, FILTER, JOIN, GROUP_BY, WINDOW, SORT, or CONDITIONAL."},"description":{"type":"string","description":"A string representation of the transformation."},"masking":{"type":"boolean","description":"Whether the transformation masks the source data."}},"required":["type"]};

function validate281(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate281.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.namespace === undefined) && (missing0 = "namespace")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.type === undefined) && (missing0 = "type"))){
validate281.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate281.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate281.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data2 = data.type;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate281.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data2 === "DATASET")){
validate281.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema227.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.field !== undefined){
const _errs7 = errors;
if(typeof data.field !== "string"){
validate281.errors = [{instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transformations !== undefined){
let data4 = data.transformations;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data4)){
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs11 = errors;
const _errs12 = errors;
if(errors === _errs12){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if((data5.type === undefined) && (missing1 = "type")){
validate281.errors = [{instancePath:instancePath+"/transformations/" + i0,schemaPath:"#/$defs/LineageTransformation/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data5.type !== undefined){
const _errs14 = errors;
if(typeof data5.type !== "string"){
validate281.errors = [{instancePath:instancePath+"/transformations/" + i0+"/type",schemaPath:"#/$defs/LineageTransformation/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.subtype !== undefined){
const _errs16 = errors;
if(typeof data5.subtype !== "string"){
validate281.errors = [{instancePath:instancePath+"/transformations/" + i0+"/subtype",schemaPath:"#/$defs/LineageTransformation/properties/subtype/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs16 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.description !== undefined){
const _errs18 = errors;
if(typeof data5.description !== "string"){
validate281.errors = [{instancePath:instancePath+"/transformations/" + i0+"/description",schemaPath:"#/$defs/LineageTransformation/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.masking !== undefined){
const _errs20 = errors;
if(typeof data5.masking !== "boolean"){
validate281.errors = [{instancePath:instancePath+"/transformations/" + i0+"/masking",schemaPath:"#/$defs/LineageTransformation/properties/masking/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid3 = _errs20 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
else {
validate281.errors = [{instancePath:instancePath+"/transformations/" + i0,schemaPath:"#/$defs/LineageTransformation/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
else {
validate281.errors = [{instancePath:instancePath+"/transformations",schemaPath:"#/properties/transformations/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate281.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate281.errors = vErrors;
return errors === 0;
}
validate281.evaluated = {"props":{"namespace":true,"name":true,"type":true,"field":true,"transformations":true},"dynamicProps":false,"dynamicItems":false};

const schema229 = {"type":"object","description":"A source job that feeds data into a lineage target. Without namespace and name, the source is the event's own job.","properties":{"namespace":{"type":"string","description":"The namespace of the source job. Omit together with name to refer to the event's own job."},"name":{"type":"string","description":"The name of the source job. Omit together with namespace to refer to the event's own job."},"type":{"type":"string","enum":["JOB"],"description":"The source entity type. Must be JOB."},"runId":{"type":"string","format":"uuid","description":"The source job run when the relationship is tied to a specific execution."},"transformations":{"type":"array","description":"Transformations applied by the source job to produce the data.","items":{"$ref":"#/$defs/LineageTransformation"}}},"dependentRequired":{"namespace":["name"],"name":["namespace"]},"required":["type"]};

function validate283(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate283.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
validate283.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate283.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate283.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data2 = data.type;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate283.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data2 === "JOB")){
validate283.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema229.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.runId !== undefined){
let data3 = data.runId;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data3 === "string"){
if(!(formats6(data3))){
validate283.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate283.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.transformations !== undefined){
let data4 = data.transformations;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data4)){
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs11 = errors;
const _errs12 = errors;
if(errors === _errs12){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if((data5.type === undefined) && (missing1 = "type")){
validate283.errors = [{instancePath:instancePath+"/transformations/" + i0,schemaPath:"#/$defs/LineageTransformation/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data5.type !== undefined){
const _errs14 = errors;
if(typeof data5.type !== "string"){
validate283.errors = [{instancePath:instancePath+"/transformations/" + i0+"/type",schemaPath:"#/$defs/LineageTransformation/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.subtype !== undefined){
const _errs16 = errors;
if(typeof data5.subtype !== "string"){
validate283.errors = [{instancePath:instancePath+"/transformations/" + i0+"/subtype",schemaPath:"#/$defs/LineageTransformation/properties/subtype/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs16 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.description !== undefined){
const _errs18 = errors;
if(typeof data5.description !== "string"){
validate283.errors = [{instancePath:instancePath+"/transformations/" + i0+"/description",schemaPath:"#/$defs/LineageTransformation/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data5.masking !== undefined){
const _errs20 = errors;
if(typeof data5.masking !== "boolean"){
validate283.errors = [{instancePath:instancePath+"/transformations/" + i0+"/masking",schemaPath:"#/$defs/LineageTransformation/properties/masking/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid3 = _errs20 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
else {
validate283.errors = [{instancePath:instancePath+"/transformations/" + i0,schemaPath:"#/$defs/LineageTransformation/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
else {
validate283.errors = [{instancePath:instancePath+"/transformations",schemaPath:"#/properties/transformations/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let missing2;
if(data.namespace !== undefined && ((data.name === undefined) && (missing2 = "name"))){
validate283.errors = [{instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "namespace",
    missingProperty: missing2,
    depsCount: 1,
    deps: "name"},message:"must have property name when property namespace is present"}];
return false;
}
else {
if(data.name !== undefined && ((data.namespace === undefined) && (missing2 = "namespace"))){
validate283.errors = [{instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "name",
    missingProperty: missing2,
    depsCount: 1,
    deps: "namespace"},message:"must have property namespace when property name is present"}];
return false;
}
}
}
}
}
}
}
}
}
else {
validate283.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate283.errors = vErrors;
return errors === 0;
}
validate283.evaluated = {"props":{"namespace":true,"name":true,"type":true,"runId":true,"transformations":true},"dynamicProps":false,"dynamicItems":false};


function validate280(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate280.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate281(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate281.errors : vErrors.concat(validate281.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.namespace = true;
props0.name = true;
props0.type = true;
props0.field = true;
props0.transformations = true;
}
const _errs2 = errors;
if(!(validate283(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate283.errors : vErrors.concat(validate283.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.namespace = true;
props0.name = true;
props0.type = true;
props0.runId = true;
props0.transformations = true;
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate280.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate280.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate280.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema231 = {"type":"object","description":"Field-level lineage for a single target field.","properties":{"inputs":{"type":"array","description":"Source entities and/or fields that feed into this target field.","items":{"$ref":"#/$defs/LineageInput"}}},"required":["inputs"]};

function validate286(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate286.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.inputs === undefined) && (missing0 = "inputs")){
validate286.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.inputs !== undefined){
let data0 = data.inputs;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validate280(data0[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate280.errors : vErrors.concat(validate280.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate286.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate286.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate286.errors = vErrors;
return errors === 0;
}
validate286.evaluated = {"props":{"inputs":true},"dynamicProps":false,"dynamicItems":false};


function validate303(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate303.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate303.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate278(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate278.errors : vErrors.concat(validate278.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.inputs !== undefined){
let data0 = data.inputs;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate280(data0[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate280.errors : vErrors.concat(validate280.errors);
errors = vErrors.length;
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate303.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/allOf/1/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.fields !== undefined){
let data2 = data.fields;
const _errs7 = errors;
if(errors === _errs7){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key0 in data2){
const _errs10 = errors;
if(!(validate286(data2[key0], {instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate286.errors : vErrors.concat(validate286.errors);
errors = vErrors.length;
}
var valid3 = _errs10 === errors;
if(!valid3){
break;
}
}
}
else {
validate303.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/allOf/1/properties/fields/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
else {
validate303.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate303.errors = vErrors;
return errors === 0;
}
validate303.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isLineageJobFacet = validate307;
const schema232 = {"type":"object","description":"Explicit lineage for a job. On a JobEvent it is the job's declared lineage; on a RunEvent it is lineage observed during that run.","allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"entries":{"type":"array","description":"Lineage entries describing target entities and the source entities that feed them.","items":{"$ref":"#/$defs/LineageEntry"}}},"required":["entries"]}]};

function validate291(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate291.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate291.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate291.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate291.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate291.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate291.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate291.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate291.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate291.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate291.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate291.errors = vErrors;
return errors === 0;
}
validate291.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema235 = {"description":"A target dataset or job in an explicit lineage relationship.","oneOf":[{"$ref":"#/$defs/LineageDatasetEntry"},{"$ref":"#/$defs/LineageJobEntry"}]};
const schema236 = {"type":"object","description":"Describes data flowing into a target dataset from source entities, at entity and/or field granularity.","properties":{"namespace":{"type":"string","description":"The namespace of the target dataset."},"name":{"type":"string","description":"The name of the target dataset."},"type":{"type":"string","enum":["DATASET"],"description":"The target entity type. Must be DATASET."},"inputs":{"type":"array","description":"Entity-level inputs feeding this target dataset. An empty array explicitly means that the target has no tracked upstream source.","items":{"$ref":"#/$defs/LineageInput"}},"fields":{"type":"object","description":"Field-level lineage. Maps target field names to their source inputs.","additionalProperties":{"$ref":"#/$defs/LineageFieldEntry"}}},"required":["namespace","name","type"]};

function validate294(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate294.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.namespace === undefined) && (missing0 = "namespace")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.type === undefined) && (missing0 = "type"))){
validate294.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate294.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate294.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data2 = data.type;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate294.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data2 === "DATASET")){
validate294.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema236.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inputs !== undefined){
let data3 = data.inputs;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs9 = errors;
if(!(validate280(data3[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate280.errors : vErrors.concat(validate280.errors);
errors = vErrors.length;
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
validate294.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fields !== undefined){
let data5 = data.fields;
const _errs10 = errors;
if(errors === _errs10){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const key0 in data5){
const _errs13 = errors;
if(!(validate286(data5[key0], {instancePath:instancePath+"/fields/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data5,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate286.errors : vErrors.concat(validate286.errors);
errors = vErrors.length;
}
var valid2 = _errs13 === errors;
if(!valid2){
break;
}
}
}
else {
validate294.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/properties/fields/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate294.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate294.errors = vErrors;
return errors === 0;
}
validate294.evaluated = {"props":{"namespace":true,"name":true,"type":true,"inputs":true,"fields":true},"dynamicProps":false,"dynamicItems":false};

const schema237 = {"type":"object","description":"Describes data flowing into a target job. Without namespace and name, the target is the event's own job.","properties":{"namespace":{"type":"string","description":"The namespace of the target job. Omit together with name to refer to the event's own job."},"name":{"type":"string","description":"The name of the target job. Omit together with namespace to refer to the event's own job."},"type":{"type":"string","enum":["JOB"],"description":"The target entity type. Must be JOB."},"runId":{"type":"string","format":"uuid","description":"The target job run when the relationship is tied to a specific execution."},"inputs":{"type":"array","description":"Source inputs feeding this target job.","items":{"$ref":"#/$defs/LineageInput"}}},"dependentRequired":{"namespace":["name"],"name":["namespace"]},"required":["type"]};

function validate298(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate298.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
validate298.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate298.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate298.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data2 = data.type;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate298.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(data2 === "JOB")){
validate298.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema237.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.runId !== undefined){
let data3 = data.runId;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data3 === "string"){
if(!(formats6(data3))){
validate298.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate298.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inputs !== undefined){
let data4 = data.inputs;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data4)){
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
const _errs11 = errors;
if(!(validate280(data4[i0], {instancePath:instancePath+"/inputs/" + i0,parentData:data4,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate280.errors : vErrors.concat(validate280.errors);
errors = vErrors.length;
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
else {
validate298.errors = [{instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
let missing1;
if(data.namespace !== undefined && ((data.name === undefined) && (missing1 = "name"))){
validate298.errors = [{instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "namespace",
    missingProperty: missing1,
    depsCount: 1,
    deps: "name"},message:"must have property name when property namespace is present"}];
return false;
}
else {
if(data.name !== undefined && ((data.namespace === undefined) && (missing1 = "namespace"))){
validate298.errors = [{instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "name",
    missingProperty: missing1,
    depsCount: 1,
    deps: "namespace"},message:"must have property namespace when property name is present"}];
return false;
}
}
}
}
}
}
}
}
}
else {
validate298.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate298.errors = vErrors;
return errors === 0;
}
validate298.evaluated = {"props":{"namespace":true,"name":true,"type":true,"runId":true,"inputs":true},"dynamicProps":false,"dynamicItems":false};


function validate293(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate293.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate294(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate294.errors : vErrors.concat(validate294.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.namespace = true;
props0.name = true;
props0.type = true;
props0.inputs = true;
props0.fields = true;
}
const _errs2 = errors;
if(!(validate298(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate298.errors : vErrors.concat(validate298.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.namespace = true;
props0.name = true;
props0.type = true;
props0.runId = true;
props0.inputs = true;
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate293.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate293.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate293.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate307(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate307.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate307.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate291(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate291.errors : vErrors.concat(validate291.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.entries === undefined) && (missing0 = "entries")){
validate307.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.entries !== undefined){
let data0 = data.entries;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate293(data0[i0], {instancePath:instancePath+"/entries/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate293.errors : vErrors.concat(validate293.errors);
errors = vErrors.length;
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate307.errors = [{instancePath:instancePath+"/entries",schemaPath:"#/allOf/1/properties/entries/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate307.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate307.errors = vErrors;
return errors === 0;
}
validate307.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isNominalTimeRunFacet = validate315;
const schema241 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"nominalStartTime":{"description":"An [ISO-8601](https://en.wikipedia.org/wiki/ISO_8601) timestamp representing the nominal start time (included) of the run. AKA the schedule time","type":"string","format":"date-time","example":"2020-12-17T03:00:00.000Z"},"nominalEndTime":{"description":"An [ISO-8601](https://en.wikipedia.org/wiki/ISO_8601) timestamp representing the nominal end time (excluded) of the run. (Should be the nominal start time of the next run)","type":"string","format":"date-time","example":"2020-12-17T04:00:00.000Z"}},"required":["nominalStartTime"]}],"type":"object"};

function validate312(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate312.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate312.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate312.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate312.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate312.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate312.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate312.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate312.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate312.errors = vErrors;
return errors === 0;
}
validate312.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate315(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate315.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate315.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate312(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate312.errors : vErrors.concat(validate312.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.nominalStartTime === undefined) && (missing0 = "nominalStartTime")){
validate315.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.nominalStartTime !== undefined){
let data0 = data.nominalStartTime;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data0 === "string"){
if(!(formats0(data0))){
validate315.errors = [{instancePath:instancePath+"/nominalStartTime",schemaPath:"#/allOf/1/properties/nominalStartTime/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate315.errors = [{instancePath:instancePath+"/nominalStartTime",schemaPath:"#/allOf/1/properties/nominalStartTime/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.nominalEndTime !== undefined){
let data1 = data.nominalEndTime;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data1 === "string"){
if(!(formats0(data1))){
validate315.errors = [{instancePath:instancePath+"/nominalEndTime",schemaPath:"#/allOf/1/properties/nominalEndTime/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate315.errors = [{instancePath:instancePath+"/nominalEndTime",schemaPath:"#/allOf/1/properties/nominalEndTime/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate315.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate315.errors = vErrors;
return errors === 0;
}
validate315.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isOutputStatisticsOutputDatasetFacet = validate322;
const schema246 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/OutputDatasetFacet"},{"type":"object","properties":{"rowCount":{"description":"The number of rows written to the dataset","type":"integer"},"size":{"description":"The size in bytes written to the dataset","type":"integer"},"fileCount":{"description":"The number of files written to the dataset","type":"integer"}}}]};

function validate319(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate319.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate319.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate319.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate319.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate319.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate319.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate319.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate319.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate319.errors = vErrors;
return errors === 0;
}
validate319.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate322(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate322.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(validate319(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate319.errors : vErrors.concat(validate319.errors);
errors = vErrors.length;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.rowCount !== undefined){
let data0 = data.rowCount;
const _errs3 = errors;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
validate322.errors = [{instancePath:instancePath+"/rowCount",schemaPath:"#/allOf/1/properties/rowCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.size !== undefined){
let data1 = data.size;
const _errs5 = errors;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
validate322.errors = [{instancePath:instancePath+"/size",schemaPath:"#/allOf/1/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.fileCount !== undefined){
let data2 = data.fileCount;
const _errs7 = errors;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
validate322.errors = [{instancePath:instancePath+"/fileCount",schemaPath:"#/allOf/1/properties/fileCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate322.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
validate322.errors = vErrors;
return errors === 0;
}
validate322.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isOwnershipDatasetFacet = validate329;
const schema251 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"owners":{"description":"The owners of the dataset.","type":"array","items":{"type":"object","properties":{"name":{"description":"the identifier of the owner of the Dataset. It is recommended to define this as a URN. For example application:foo, user:jdoe, team:data","type":"string","example":"application:app_name"},"type":{"description":"The type of ownership (optional)","type":"string","example":"MAINTAINER"}},"required":["name"]}}}}],"type":"object"};

function validate326(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate326.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate326.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate326.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate326.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate326.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate326.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate326.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate326.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate326.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate326.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate326.errors = vErrors;
return errors === 0;
}
validate326.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate329(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate329.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate329.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate326(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate326.errors : vErrors.concat(validate326.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.owners !== undefined){
let data0 = data.owners;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if((data1.name === undefined) && (missing0 = "name")){
validate329.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/allOf/1/properties/owners/items/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data1.name !== undefined){
const _errs8 = errors;
if(typeof data1.name !== "string"){
validate329.errors = [{instancePath:instancePath+"/owners/" + i0+"/name",schemaPath:"#/allOf/1/properties/owners/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.type !== undefined){
const _errs10 = errors;
if(typeof data1.type !== "string"){
validate329.errors = [{instancePath:instancePath+"/owners/" + i0+"/type",schemaPath:"#/allOf/1/properties/owners/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
}
}
}
else {
validate329.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/allOf/1/properties/owners/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate329.errors = [{instancePath:instancePath+"/owners",schemaPath:"#/allOf/1/properties/owners/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate329.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate329.errors = vErrors;
return errors === 0;
}
validate329.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isOwnershipJobFacet = validate336;
const schema256 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"owners":{"description":"The owners of the job.","type":"array","items":{"type":"object","properties":{"name":{"description":"the identifier of the owner of the Job. It is recommended to define this as a URN. For example application:foo, user:jdoe, team:data","type":"string","example":"application:app_name"},"type":{"description":"The type of ownership (optional)","type":"string","example":"MAINTAINER"}},"required":["name"]}}}}],"type":"object"};

function validate333(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate333.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate333.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate333.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate333.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate333.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate333.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate333.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate333.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate333.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate333.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate333.errors = vErrors;
return errors === 0;
}
validate333.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate336(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate336.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate336.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate333(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate333.errors : vErrors.concat(validate333.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.owners !== undefined){
let data0 = data.owners;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if((data1.name === undefined) && (missing0 = "name")){
validate336.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/allOf/1/properties/owners/items/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data1.name !== undefined){
const _errs8 = errors;
if(typeof data1.name !== "string"){
validate336.errors = [{instancePath:instancePath+"/owners/" + i0+"/name",schemaPath:"#/allOf/1/properties/owners/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.type !== undefined){
const _errs10 = errors;
if(typeof data1.type !== "string"){
validate336.errors = [{instancePath:instancePath+"/owners/" + i0+"/type",schemaPath:"#/allOf/1/properties/owners/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
}
}
}
else {
validate336.errors = [{instancePath:instancePath+"/owners/" + i0,schemaPath:"#/allOf/1/properties/owners/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate336.errors = [{instancePath:instancePath+"/owners",schemaPath:"#/allOf/1/properties/owners/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate336.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate336.errors = vErrors;
return errors === 0;
}
validate336.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isParentRunFacet = validate352;
const schema261 = {"description":"the id of the parent run and job, iff this run was spawn from an other run (for example, the Dag run scheduling its tasks)","allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"run":{"type":"object","properties":{"runId":{"description":"The globally unique ID of the run associated with the job.","type":"string","format":"uuid"},"facets":{"description":"Selected subset of facets of the parent run (not the current run), forwarded here for convenience. See the parent run's own event for full information.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"}}]}},"required":["runId"]},"job":{"type":"object","properties":{"namespace":{"description":"The namespace containing that job","type":"string","example":"my-scheduler-namespace"},"name":{"description":"The unique name for that job within that namespace","type":"string","example":"myjob.mytask"},"facets":{"description":"Selected subset of facets of the parent job (not the current job), forwarded here for convenience. See the parent job's own event for full information.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"}}]}},"required":["namespace","name"]},"root":{"type":"object","properties":{"run":{"$ref":"#/$defs/RootRun"},"job":{"$ref":"#/$defs/RootJob"}},"required":["run","job"]}},"required":["run","job"]}],"type":"object"};

function validate340(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate340.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate340.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate340.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate340.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate340.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate340.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate340.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate340.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate340.errors = vErrors;
return errors === 0;
}
validate340.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate343(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate343.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate343.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate343.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate343.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate343.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate343.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate343.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate343.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate343.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate343.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate343.errors = vErrors;
return errors === 0;
}
validate343.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema266 = {"type":"object","properties":{"runId":{"description":"The globally unique ID of the root run associated with the root job.","type":"string","format":"uuid"},"facets":{"description":"Selected subset of facets of the root run (not the current run), forwarded here for convenience. See the root run's own event for full information.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"}}]}},"required":["runId"]};

function validate345(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate345.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.runId === undefined) && (missing0 = "runId")){
validate345.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.runId !== undefined){
let data0 = data.runId;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(formats6(data0))){
validate345.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate345.errors = [{instancePath:instancePath+"/runId",schemaPath:"#/properties/runId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.facets !== undefined){
let data1 = data.facets;
const _errs3 = errors;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
validate345.errors = [{instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 in data1){
const _errs9 = errors;
if(!(validate340(data1[key0], {instancePath:instancePath+"/facets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data1,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate340.errors : vErrors.concat(validate340.errors);
errors = vErrors.length;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate345.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate345.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate345.errors = vErrors;
return errors === 0;
}
validate345.evaluated = {"props":{"runId":true,"facets":true},"dynamicProps":false,"dynamicItems":false};

const schema267 = {"type":"object","properties":{"namespace":{"description":"The namespace containing root job","type":"string","example":"my-scheduler-namespace"},"name":{"description":"The unique name containing root job within that namespace","type":"string","example":"myjob.mytask"},"facets":{"description":"Selected subset of facets of the root job (not the current job), forwarded here for convenience. See the root job's own event for full information.","type":"object","anyOf":[{"type":"object","additionalProperties":{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"}}]}},"required":["namespace","name"]};

function validate348(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate348.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.namespace === undefined) && (missing0 = "namespace")) || ((data.name === undefined) && (missing0 = "name"))){
validate348.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.namespace !== undefined){
const _errs1 = errors;
if(typeof data.namespace !== "string"){
validate348.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(typeof data.name !== "string"){
validate348.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.facets !== undefined){
let data2 = data.facets;
const _errs5 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
validate348.errors = [{instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs7 = errors;
let valid1 = false;
const _errs8 = errors;
if(errors === _errs8){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key0 in data2){
const _errs11 = errors;
if(!(validate343(data2[key0], {instancePath:instancePath+"/facets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate343.errors : vErrors.concat(validate343.errors);
errors = vErrors.length;
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/facets",schemaPath:"#/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate348.errors = vErrors;
return false;
}
else {
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate348.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate348.errors = vErrors;
return errors === 0;
}
validate348.evaluated = {"props":{"namespace":true,"name":true,"facets":true},"dynamicProps":false,"dynamicItems":false};


function validate352(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate352.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate352.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate340(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate340.errors : vErrors.concat(validate340.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.run === undefined) && (missing0 = "run")) || ((data.job === undefined) && (missing0 = "job"))){
validate352.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.run !== undefined){
let data0 = data.run;
const _errs4 = errors;
if(errors === _errs4){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing1;
if((data0.runId === undefined) && (missing1 = "runId")){
validate352.errors = [{instancePath:instancePath+"/run",schemaPath:"#/allOf/1/properties/run/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data0.runId !== undefined){
let data1 = data0.runId;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data1 === "string"){
if(!(formats6(data1))){
validate352.errors = [{instancePath:instancePath+"/run/runId",schemaPath:"#/allOf/1/properties/run/properties/runId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate352.errors = [{instancePath:instancePath+"/run/runId",schemaPath:"#/allOf/1/properties/run/properties/runId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data0.facets !== undefined){
let data2 = data0.facets;
const _errs8 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
validate352.errors = [{instancePath:instancePath+"/run/facets",schemaPath:"#/allOf/1/properties/run/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs10 = errors;
let valid3 = false;
const _errs11 = errors;
if(errors === _errs11){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key0 in data2){
const _errs14 = errors;
if(!(validate340(data2[key0], {instancePath:instancePath+"/run/facets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate340.errors : vErrors.concat(validate340.errors);
errors = vErrors.length;
}
var valid4 = _errs14 === errors;
if(!valid4){
break;
}
}
}
else {
const err0 = {instancePath:instancePath+"/run/facets",schemaPath:"#/allOf/1/properties/run/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs11 === errors;
valid3 = valid3 || _valid0;
if(!valid3){
const err1 = {instancePath:instancePath+"/run/facets",schemaPath:"#/allOf/1/properties/run/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate352.errors = vErrors;
return false;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate352.errors = [{instancePath:instancePath+"/run",schemaPath:"#/allOf/1/properties/run/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.job !== undefined){
let data4 = data.job;
const _errs15 = errors;
if(errors === _errs15){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing2;
if(((data4.namespace === undefined) && (missing2 = "namespace")) || ((data4.name === undefined) && (missing2 = "name"))){
validate352.errors = [{instancePath:instancePath+"/job",schemaPath:"#/allOf/1/properties/job/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data4.namespace !== undefined){
const _errs17 = errors;
if(typeof data4.namespace !== "string"){
validate352.errors = [{instancePath:instancePath+"/job/namespace",schemaPath:"#/allOf/1/properties/job/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid5 = _errs17 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data4.name !== undefined){
const _errs19 = errors;
if(typeof data4.name !== "string"){
validate352.errors = [{instancePath:instancePath+"/job/name",schemaPath:"#/allOf/1/properties/job/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid5 = _errs19 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data4.facets !== undefined){
let data7 = data4.facets;
const _errs21 = errors;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
validate352.errors = [{instancePath:instancePath+"/job/facets",schemaPath:"#/allOf/1/properties/job/properties/facets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs23 = errors;
let valid6 = false;
const _errs24 = errors;
if(errors === _errs24){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key1 in data7){
const _errs27 = errors;
if(!(validate343(data7[key1], {instancePath:instancePath+"/job/facets/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data7,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate343.errors : vErrors.concat(validate343.errors);
errors = vErrors.length;
}
var valid7 = _errs27 === errors;
if(!valid7){
break;
}
}
}
else {
const err2 = {instancePath:instancePath+"/job/facets",schemaPath:"#/allOf/1/properties/job/properties/facets/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid1 = _errs24 === errors;
valid6 = valid6 || _valid1;
if(!valid6){
const err3 = {instancePath:instancePath+"/job/facets",schemaPath:"#/allOf/1/properties/job/properties/facets/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate352.errors = vErrors;
return false;
}
else {
errors = _errs23;
if(vErrors !== null){
if(_errs23){
vErrors.length = _errs23;
}
else {
vErrors = null;
}
}
}
var valid5 = _errs21 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
else {
validate352.errors = [{instancePath:instancePath+"/job",schemaPath:"#/allOf/1/properties/job/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.root !== undefined){
let data9 = data.root;
const _errs28 = errors;
if(errors === _errs28){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
let missing3;
if(((data9.run === undefined) && (missing3 = "run")) || ((data9.job === undefined) && (missing3 = "job"))){
validate352.errors = [{instancePath:instancePath+"/root",schemaPath:"#/allOf/1/properties/root/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data9.run !== undefined){
const _errs30 = errors;
if(!(validate345(data9.run, {instancePath:instancePath+"/root/run",parentData:data9,parentDataProperty:"run",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate345.errors : vErrors.concat(validate345.errors);
errors = vErrors.length;
}
var valid8 = _errs30 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data9.job !== undefined){
const _errs31 = errors;
if(!(validate348(data9.job, {instancePath:instancePath+"/root/job",parentData:data9,parentDataProperty:"job",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate348.errors : vErrors.concat(validate348.errors);
errors = vErrors.length;
}
var valid8 = _errs31 === errors;
}
else {
var valid8 = true;
}
}
}
}
else {
validate352.errors = [{instancePath:instancePath+"/root",schemaPath:"#/allOf/1/properties/root/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs28 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
else {
validate352.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate352.errors = vErrors;
return errors === 0;
}
validate352.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isProcessingEngineRunFacet = validate363;
const schema270 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"version":{"description":"Processing engine version. Might be Airflow or Spark version.","type":"string","example":"2.5.0"},"name":{"description":"Processing engine name, e.g. Airflow or Spark","type":"string","example":"Airflow"},"openlineageAdapterVersion":{"description":"OpenLineage adapter package version. Might be e.g. OpenLineage Airflow integration package version","type":"string","example":"0.19.0"}},"required":["version"]}],"type":"object"};

function validate360(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate360.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate360.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate360.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate360.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate360.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate360.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate360.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate360.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate360.errors = vErrors;
return errors === 0;
}
validate360.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate363(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate363.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate363.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate360(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate360.errors : vErrors.concat(validate360.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.version === undefined) && (missing0 = "version")){
validate363.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.version !== undefined){
const _errs4 = errors;
if(typeof data.version !== "string"){
validate363.errors = [{instancePath:instancePath+"/version",schemaPath:"#/allOf/1/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.name !== undefined){
const _errs6 = errors;
if(typeof data.name !== "string"){
validate363.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.openlineageAdapterVersion !== undefined){
const _errs8 = errors;
if(typeof data.openlineageAdapterVersion !== "string"){
validate363.errors = [{instancePath:instancePath+"/openlineageAdapterVersion",schemaPath:"#/allOf/1/properties/openlineageAdapterVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
else {
validate363.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate363.errors = vErrors;
return errors === 0;
}
validate363.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isSQLJobFacet = validate370;
const schema275 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"query":{"type":"string","example":"SELECT * FROM foo"},"dialect":{"type":"string","example":"snowflake"}},"required":["query"]}],"type":"object"};

function validate367(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate367.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate367.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate367.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate367.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate367.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate367.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate367.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate367.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate367.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate367.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate367.errors = vErrors;
return errors === 0;
}
validate367.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate370(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate370.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate370.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate367(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate367.errors : vErrors.concat(validate367.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.query === undefined) && (missing0 = "query")){
validate370.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.query !== undefined){
const _errs4 = errors;
if(typeof data.query !== "string"){
validate370.errors = [{instancePath:instancePath+"/query",schemaPath:"#/allOf/1/properties/query/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.dialect !== undefined){
const _errs6 = errors;
if(typeof data.dialect !== "string"){
validate370.errors = [{instancePath:instancePath+"/dialect",schemaPath:"#/allOf/1/properties/dialect/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate370.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate370.errors = vErrors;
return errors === 0;
}
validate370.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isSchemaDatasetFacet = validate379;
const schema280 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"fields":{"description":"The fields of the data source.","type":"array","items":{"$ref":"#/$defs/SchemaDatasetFacetFields"}}}}],"type":"object"};

function validate374(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate374.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate374.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate374.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate374.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate374.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate374.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate374.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate374.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate374.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate374.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate374.errors = vErrors;
return errors === 0;
}
validate374.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema283 = {"type":"object","properties":{"name":{"description":"The name of the field.","type":"string","example":"column1"},"type":{"description":"The type of the field.","type":"string","example":"VARCHAR|INT|..."},"description":{"description":"The description of the field.","type":"string"},"ordinal_position":{"description":"The ordinal position of the field in the schema (1-indexed).","type":"integer","example":1},"fields":{"description":"Nested struct fields.","type":"array","items":{"$ref":"#/$defs/SchemaDatasetFacetFields"}}},"required":["name"]};
const wrapper2 = {validate: validate376};

function validate376(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate376.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.name === undefined) && (missing0 = "name")){
validate376.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.name !== undefined){
const _errs1 = errors;
if(typeof data.name !== "string"){
validate376.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs3 = errors;
if(typeof data.type !== "string"){
validate376.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
const _errs5 = errors;
if(typeof data.description !== "string"){
validate376.errors = [{instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ordinal_position !== undefined){
let data3 = data.ordinal_position;
const _errs7 = errors;
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
validate376.errors = [{instancePath:instancePath+"/ordinal_position",schemaPath:"#/properties/ordinal_position/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fields !== undefined){
let data4 = data.fields;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data4)){
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
const _errs11 = errors;
if(!(wrapper2.validate(data4[i0], {instancePath:instancePath+"/fields/" + i0,parentData:data4,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper2.validate.errors : vErrors.concat(wrapper2.validate.errors);
errors = vErrors.length;
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
else {
validate376.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/properties/fields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate376.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate376.errors = vErrors;
return errors === 0;
}
validate376.evaluated = {"props":{"name":true,"type":true,"description":true,"ordinal_position":true,"fields":true},"dynamicProps":false,"dynamicItems":false};


function validate379(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate379.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate379.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate374(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate374.errors : vErrors.concat(validate374.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.fields !== undefined){
let data0 = data.fields;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate376(data0[i0], {instancePath:instancePath+"/fields/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate376.errors : vErrors.concat(validate376.errors);
errors = vErrors.length;
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate379.errors = [{instancePath:instancePath+"/fields",schemaPath:"#/allOf/1/properties/fields/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate379.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate379.errors = vErrors;
return errors === 0;
}
validate379.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isSourceCodeJobFacet = validate387;
const schema286 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"language":{"description":"Language in which source code of this job was written.","type":"string"},"sourceCode":{"description":"Source code of this job.","type":"string"}},"required":["language","sourceCode"]}],"type":"object"};

function validate384(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate384.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate384.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate384.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate384.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate384.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate384.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate384.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate384.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate384.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate384.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate384.errors = vErrors;
return errors === 0;
}
validate384.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate387(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate387.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate387.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate384(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate384.errors : vErrors.concat(validate384.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.language === undefined) && (missing0 = "language")) || ((data.sourceCode === undefined) && (missing0 = "sourceCode"))){
validate387.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.language !== undefined){
const _errs4 = errors;
if(typeof data.language !== "string"){
validate387.errors = [{instancePath:instancePath+"/language",schemaPath:"#/allOf/1/properties/language/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.sourceCode !== undefined){
const _errs6 = errors;
if(typeof data.sourceCode !== "string"){
validate387.errors = [{instancePath:instancePath+"/sourceCode",schemaPath:"#/allOf/1/properties/sourceCode/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate387.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate387.errors = vErrors;
return errors === 0;
}
validate387.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isSourceCodeLocationJobFacet = validate394;
const schema291 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"type":{"type":"string","description":"the source control system","example":"git|svn"},"url":{"type":"string","description":"the full http URL to locate the file","format":"uri","example":"https://github.com/MarquezProject/marquez-airflow-quickstart/blob/693e35482bc2e526ced2b5f9f76ef83dec6ec691/dags/dummy_example.py"},"repoUrl":{"type":"string","description":"the URL to the repository","example":"git@github.com:{org}/{repo}.git or https://github.com/{org}/{repo}.git|svn://<your_ip>/<repository_name>"},"path":{"type":"string","description":"the path in the repo containing the source files","example":"path/to/my/dags"},"version":{"type":"string","description":"the current version deployed (not a branch name, the actual unique version)","example":"git: the git sha | Svn: the revision number"},"tag":{"type":"string","description":"optional tag name"},"branch":{"type":"string","description":"optional branch name"},"pullRequestNumber":{"type":"string","description":"optional pull request or merge request number associated with a CI run, populated from CI platform environment variables (e.g. GITHUB_REF, CI_MERGE_REQUEST_IID)","example":"42"}},"required":["type","url"]}],"type":"object"};

function validate391(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate391.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate391.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate391.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate391.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate391.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate391.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate391.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate391.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate391.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate391.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate391.errors = vErrors;
return errors === 0;
}
validate391.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate394(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate394.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate394.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate391(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate391.errors : vErrors.concat(validate391.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.url === undefined) && (missing0 = "url"))){
validate394.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.type !== undefined){
const _errs4 = errors;
if(typeof data.type !== "string"){
validate394.errors = [{instancePath:instancePath+"/type",schemaPath:"#/allOf/1/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.url !== undefined){
let data1 = data.url;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate394.errors = [{instancePath:instancePath+"/url",schemaPath:"#/allOf/1/properties/url/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate394.errors = [{instancePath:instancePath+"/url",schemaPath:"#/allOf/1/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.repoUrl !== undefined){
const _errs8 = errors;
if(typeof data.repoUrl !== "string"){
validate394.errors = [{instancePath:instancePath+"/repoUrl",schemaPath:"#/allOf/1/properties/repoUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.path !== undefined){
const _errs10 = errors;
if(typeof data.path !== "string"){
validate394.errors = [{instancePath:instancePath+"/path",schemaPath:"#/allOf/1/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.version !== undefined){
const _errs12 = errors;
if(typeof data.version !== "string"){
validate394.errors = [{instancePath:instancePath+"/version",schemaPath:"#/allOf/1/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.tag !== undefined){
const _errs14 = errors;
if(typeof data.tag !== "string"){
validate394.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/allOf/1/properties/tag/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs14 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.branch !== undefined){
const _errs16 = errors;
if(typeof data.branch !== "string"){
validate394.errors = [{instancePath:instancePath+"/branch",schemaPath:"#/allOf/1/properties/branch/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs16 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.pullRequestNumber !== undefined){
const _errs18 = errors;
if(typeof data.pullRequestNumber !== "string"){
validate394.errors = [{instancePath:instancePath+"/pullRequestNumber",schemaPath:"#/allOf/1/properties/pullRequestNumber/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs18 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate394.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate394.errors = vErrors;
return errors === 0;
}
validate394.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isStorageDatasetFacet = validate401;
const schema296 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"storageLayer":{"description":"Storage layer provider with allowed values: iceberg, delta.","type":"string"},"fileFormat":{"description":"File format with allowed values: parquet, orc, avro, json, csv, text, xml.","type":"string"}},"additionalProperties":true,"required":["storageLayer"]}],"type":"object"};

function validate398(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate398.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate398.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate398.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate398.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate398.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate398.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate398.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate398.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate398.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate398.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate398.errors = vErrors;
return errors === 0;
}
validate398.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate401(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate401.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate401.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate398(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate398.errors : vErrors.concat(validate398.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.storageLayer === undefined) && (missing0 = "storageLayer")){
validate401.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.storageLayer !== undefined){
const _errs5 = errors;
if(typeof data.storageLayer !== "string"){
validate401.errors = [{instancePath:instancePath+"/storageLayer",schemaPath:"#/allOf/1/properties/storageLayer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.fileFormat !== undefined){
const _errs7 = errors;
if(typeof data.fileFormat !== "string"){
validate401.errors = [{instancePath:instancePath+"/fileFormat",schemaPath:"#/allOf/1/properties/fileFormat/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate401.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate401.errors = vErrors;
return errors === 0;
}
validate401.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isSymlinksDatasetFacet = validate408;
const schema301 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"identifiers":{"type":"array","items":{"type":"object","properties":{"namespace":{"type":"string","description":"The dataset namespace"},"name":{"type":"string","description":"The dataset name"},"type":{"type":"string","description":"Identifier type","example":"table"}},"required":["namespace","name","type"]}}}}],"type":"object"};

function validate405(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate405.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate405.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate405.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate405.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate405.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate405.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate405.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate405.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate405.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate405.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate405.errors = vErrors;
return errors === 0;
}
validate405.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate408(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate408.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate408.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate405(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate405.errors : vErrors.concat(validate405.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.identifiers !== undefined){
let data0 = data.identifiers;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if((((data1.namespace === undefined) && (missing0 = "namespace")) || ((data1.name === undefined) && (missing0 = "name"))) || ((data1.type === undefined) && (missing0 = "type"))){
validate408.errors = [{instancePath:instancePath+"/identifiers/" + i0,schemaPath:"#/allOf/1/properties/identifiers/items/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data1.namespace !== undefined){
const _errs8 = errors;
if(typeof data1.namespace !== "string"){
validate408.errors = [{instancePath:instancePath+"/identifiers/" + i0+"/namespace",schemaPath:"#/allOf/1/properties/identifiers/items/properties/namespace/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.name !== undefined){
const _errs10 = errors;
if(typeof data1.name !== "string"){
validate408.errors = [{instancePath:instancePath+"/identifiers/" + i0+"/name",schemaPath:"#/allOf/1/properties/identifiers/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.type !== undefined){
const _errs12 = errors;
if(typeof data1.type !== "string"){
validate408.errors = [{instancePath:instancePath+"/identifiers/" + i0+"/type",schemaPath:"#/allOf/1/properties/identifiers/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs12 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate408.errors = [{instancePath:instancePath+"/identifiers/" + i0,schemaPath:"#/allOf/1/properties/identifiers/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate408.errors = [{instancePath:instancePath+"/identifiers",schemaPath:"#/allOf/1/properties/identifiers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate408.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate408.errors = vErrors;
return errors === 0;
}
validate408.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isTagsDatasetFacet = validate415;
const schema306 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet"},{"type":"object","properties":{"tags":{"description":"The tags applied to the dataset facet","type":"array","items":{"$ref":"#/$defs/TagsDatasetFacetFields"}}}}],"type":"object"};
const schema309 = {"type":"object","properties":{"key":{"description":"Key that identifies the tag","type":"string","example":"pii"},"value":{"description":"The value of the field","type":"string","example":"true|@user1|production"},"source":{"description":"The source of the tag. INTEGRATION|USER|DBT CORE|SPARK|etc.","type":"string"},"field":{"description":"Identifies the field in a dataset if a tag applies to one","type":"string","example":"email_address"}},"required":["key","value"]};

function validate412(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate412.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate412.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate412.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate412.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate412.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate412.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate412.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate412.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate412.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate412.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate412.errors = vErrors;
return errors === 0;
}
validate412.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate415(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate415.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate415.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate412(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate412.errors : vErrors.concat(validate412.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tags !== undefined){
let data0 = data.tags;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if(((data1.key === undefined) && (missing0 = "key")) || ((data1.value === undefined) && (missing0 = "value"))){
validate415.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/$defs/TagsDatasetFacetFields/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data1.key !== undefined){
const _errs9 = errors;
if(typeof data1.key !== "string"){
validate415.errors = [{instancePath:instancePath+"/tags/" + i0+"/key",schemaPath:"#/$defs/TagsDatasetFacetFields/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.value !== undefined){
const _errs11 = errors;
if(typeof data1.value !== "string"){
validate415.errors = [{instancePath:instancePath+"/tags/" + i0+"/value",schemaPath:"#/$defs/TagsDatasetFacetFields/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.source !== undefined){
const _errs13 = errors;
if(typeof data1.source !== "string"){
validate415.errors = [{instancePath:instancePath+"/tags/" + i0+"/source",schemaPath:"#/$defs/TagsDatasetFacetFields/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.field !== undefined){
const _errs15 = errors;
if(typeof data1.field !== "string"){
validate415.errors = [{instancePath:instancePath+"/tags/" + i0+"/field",schemaPath:"#/$defs/TagsDatasetFacetFields/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs15 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
else {
validate415.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/$defs/TagsDatasetFacetFields/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate415.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/allOf/1/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate415.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate415.errors = vErrors;
return errors === 0;
}
validate415.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isTagsJobFacet = validate422;
const schema313 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobFacet"},{"type":"object","properties":{"tags":{"description":"The tags applied to the job facet","type":"array","items":{"$ref":"#/$defs/TagsJobFacetFields"}}}}],"type":"object"};
const schema316 = {"type":"object","properties":{"key":{"description":"Key that identifies the tag","type":"string","example":"pii"},"value":{"description":"The value of the field","type":"string","example":"true|@user1|production"},"source":{"description":"The source of the tag. INTEGRATION|USER|DBT CORE|SPARK|etc.","type":"string","example":"SPARK"}},"required":["key","value"]};

function validate419(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate419.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate419.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate419.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate419.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate419.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate419.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate419.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate419.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs9 = errors;
if(errors === _errs9){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data._deleted !== undefined){
if(typeof data._deleted !== "boolean"){
validate419.errors = [{instancePath:instancePath+"/_deleted",schemaPath:"#/allOf/1/properties/_deleted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
else {
validate419.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
validate419.errors = vErrors;
return errors === 0;
}
validate419.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate422(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate422.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate422.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate419(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate419.errors : vErrors.concat(validate419.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tags !== undefined){
let data0 = data.tags;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if(((data1.key === undefined) && (missing0 = "key")) || ((data1.value === undefined) && (missing0 = "value"))){
validate422.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/$defs/TagsJobFacetFields/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data1.key !== undefined){
const _errs9 = errors;
if(typeof data1.key !== "string"){
validate422.errors = [{instancePath:instancePath+"/tags/" + i0+"/key",schemaPath:"#/$defs/TagsJobFacetFields/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.value !== undefined){
const _errs11 = errors;
if(typeof data1.value !== "string"){
validate422.errors = [{instancePath:instancePath+"/tags/" + i0+"/value",schemaPath:"#/$defs/TagsJobFacetFields/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.source !== undefined){
const _errs13 = errors;
if(typeof data1.source !== "string"){
validate422.errors = [{instancePath:instancePath+"/tags/" + i0+"/source",schemaPath:"#/$defs/TagsJobFacetFields/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate422.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/$defs/TagsJobFacetFields/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate422.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/allOf/1/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate422.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate422.errors = vErrors;
return errors === 0;
}
validate422.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isTagsRunFacet = validate429;
const schema320 = {"allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"tags":{"description":"The tags applied to the run facet","type":"array","items":{"$ref":"#/$defs/TagsRunFacetFields"}}}}],"type":"object"};
const schema323 = {"type":"object","properties":{"key":{"description":"Key that identifies the tag","type":"string","example":"pii"},"value":{"description":"The value of the field","type":"string","example":"true|@user1|production"},"source":{"description":"The source of the tag. INTEGRATION|USER|DBT CORE|SPARK|etc.","type":"string","example":"SPARK"}},"required":["key","value"]};

function validate426(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate426.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate426.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate426.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate426.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate426.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate426.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate426.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate426.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate426.errors = vErrors;
return errors === 0;
}
validate426.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate429(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate429.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate429.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate426(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate426.errors : vErrors.concat(validate426.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tags !== undefined){
let data0 = data.tags;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing0;
if(((data1.key === undefined) && (missing0 = "key")) || ((data1.value === undefined) && (missing0 = "value"))){
validate429.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/$defs/TagsRunFacetFields/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data1.key !== undefined){
const _errs9 = errors;
if(typeof data1.key !== "string"){
validate429.errors = [{instancePath:instancePath+"/tags/" + i0+"/key",schemaPath:"#/$defs/TagsRunFacetFields/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.value !== undefined){
const _errs11 = errors;
if(typeof data1.value !== "string"){
validate429.errors = [{instancePath:instancePath+"/tags/" + i0+"/value",schemaPath:"#/$defs/TagsRunFacetFields/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.source !== undefined){
const _errs13 = errors;
if(typeof data1.source !== "string"){
validate429.errors = [{instancePath:instancePath+"/tags/" + i0+"/source",schemaPath:"#/$defs/TagsRunFacetFields/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate429.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/$defs/TagsRunFacetFields/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate429.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/allOf/1/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
else {
validate429.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate429.errors = vErrors;
return errors === 0;
}
validate429.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isTestRunFacet = validate436;
const schema327 = {"description":"Results of test executions associated with this run, capturing test outcomes and configured severities independently of dataset attribution.","allOf":[{"$ref":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"},{"type":"object","properties":{"tests":{"description":"List of test executions and their results.","type":"array","items":{"$ref":"#/$defs/TestExecution"}}},"required":["tests"]}],"type":"object"};
const schema330 = {"type":"object","description":"A single test execution and its result.","properties":{"name":{"type":"string","description":"Name identifying the test.","example":"assert_no_orphans"},"status":{"type":"string","description":"Whether the test found issues: 'pass' (no issues found), 'fail' (issues found), 'skip' (not executed). Independent of severity — a test can fail without blocking the pipeline when severity is 'warn'.","example":"pass"},"severity":{"type":"string","description":"The configured consequence of a test failure: 'error' (blocks pipeline execution) or 'warn' (produces a warning only, does not block). A test with severity 'warn' and status 'fail' means issues were found but execution continued.","example":"error"},"type":{"type":"string","description":"Classification of the test, e.g. 'not_null', 'unique', 'row_count', 'freshness', 'custom_sql'.","example":"not_null"},"description":{"type":"string","description":"Human-readable description of what the test checks.","example":"Ensures all order IDs are unique across the table."},"expected":{"type":"string","description":"The expected value or threshold for the test, serialized as a string.","example":"1000"},"actual":{"type":"string","description":"The actual value observed during the test, serialized as a string.","example":"999"},"content":{"type":"string","description":"The test body, e.g. a SQL query or expression.","example":"SELECT COUNT(*) FROM orders WHERE amount < 0"},"contentType":{"type":"string","description":"The format of the content field, allowing consumers to interpret or filter test content. Common values include 'sql', 'json', 'expression'.","example":"sql"},"params":{"type":"object","description":"Arbitrary key-value pairs for check-specific inputs.","additionalProperties":true}},"required":["name","status"]};

function validate433(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate433.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate433.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data._producer === undefined) && (missing0 = "_producer")) || ((data._schemaURL === undefined) && (missing0 = "_schemaURL"))){
validate433.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data._producer !== undefined){
let data0 = data._producer;
const _errs5 = errors;
if(errors === _errs5){
if(errors === _errs5){
if(typeof data0 === "string"){
if(!(formats2(data0))){
validate433.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate433.errors = [{instancePath:instancePath+"/_producer",schemaPath:"#/$defs/BaseFacet/properties/_producer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data._schemaURL !== undefined){
let data1 = data._schemaURL;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data1 === "string"){
if(!(formats2(data1))){
validate433.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""}];
return false;
}
}
else {
validate433.errors = [{instancePath:instancePath+"/_schemaURL",schemaPath:"#/$defs/BaseFacet/properties/_schemaURL/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
}
}
}
else {
validate433.errors = [{instancePath,schemaPath:"#/$defs/BaseFacet/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate433.errors = vErrors;
return errors === 0;
}
validate433.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate436(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate436.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate436.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
const _errs1 = errors;
if(!(validate433(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate433.errors : vErrors.concat(validate433.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.tests === undefined) && (missing0 = "tests")){
validate436.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.tests !== undefined){
let data0 = data.tests;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data0)){
var valid2 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.name === undefined) && (missing1 = "name")) || ((data1.status === undefined) && (missing1 = "status"))){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0,schemaPath:"#/$defs/TestExecution/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.name !== undefined){
const _errs9 = errors;
if(typeof data1.name !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/name",schemaPath:"#/$defs/TestExecution/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.status !== undefined){
const _errs11 = errors;
if(typeof data1.status !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/status",schemaPath:"#/$defs/TestExecution/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.severity !== undefined){
const _errs13 = errors;
if(typeof data1.severity !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/severity",schemaPath:"#/$defs/TestExecution/properties/severity/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.type !== undefined){
const _errs15 = errors;
if(typeof data1.type !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/type",schemaPath:"#/$defs/TestExecution/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs15 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.description !== undefined){
const _errs17 = errors;
if(typeof data1.description !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/description",schemaPath:"#/$defs/TestExecution/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.expected !== undefined){
const _errs19 = errors;
if(typeof data1.expected !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/expected",schemaPath:"#/$defs/TestExecution/properties/expected/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs19 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.actual !== undefined){
const _errs21 = errors;
if(typeof data1.actual !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/actual",schemaPath:"#/$defs/TestExecution/properties/actual/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs21 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.content !== undefined){
const _errs23 = errors;
if(typeof data1.content !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/content",schemaPath:"#/$defs/TestExecution/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs23 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.contentType !== undefined){
const _errs25 = errors;
if(typeof data1.contentType !== "string"){
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/contentType",schemaPath:"#/$defs/TestExecution/properties/contentType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs25 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data1.params !== undefined){
let data11 = data1.params;
const _errs27 = errors;
if(errors === _errs27){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
}
else {
validate436.errors = [{instancePath:instancePath+"/tests/" + i0+"/params",schemaPath:"#/$defs/TestExecution/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs27 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate436.errors = [{instancePath:instancePath+"/tests/" + i0,schemaPath:"#/$defs/TestExecution/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
else {
validate436.errors = [{instancePath:instancePath+"/tests",schemaPath:"#/allOf/1/properties/tests/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate436.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
validate436.errors = vErrors;
return errors === 0;
}
validate436.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const facetChecks = {
  run: new Map([['environmentVariables', isEnvironmentVariablesRunFacet], ['errorMessage', isErrorMessageRunFacet], ['executionParameters', isExecutionParametersRunFacet], ['externalQuery', isExternalQueryRunFacet], ['extractionError', isExtractionErrorRunFacet], ['gcp_composer_run', isGcpComposerRunFacet], ['gcp_dataproc', isGcpDataprocRunFacet], ['jobDependencies', isJobDependenciesRunFacet], ['nominalTime', isNominalTimeRunFacet], ['parent', isParentRunFacet], ['processing_engine', isProcessingEngineRunFacet], ['tags', isTagsRunFacet], ['test', isTestRunFacet]]),
  job: new Map([['documentation', isDocumentationJobFacet], ['gcp_composer_job', isGcpComposerJobFacet], ['gcp_lineage', isGcpLineageJobFacet], ['jobType', isJobTypeJobFacet], ['lineage', isLineageJobFacet], ['ownership', isOwnershipJobFacet], ['sql', isSQLJobFacet], ['sourceCode', isSourceCodeJobFacet], ['sourceCodeLocation', isSourceCodeLocationJobFacet], ['tags', isTagsJobFacet]]),
  dataset: new Map([['catalog', isCatalogDatasetFacet], ['columnLineage', isColumnLineageDatasetFacet], ['dataQualityMetrics', isDataQualityMetricsDatasetFacet], ['datasetType', isDatasetTypeDatasetFacet], ['version', isDatasetVersionDatasetFacet], ['dataSource', isDatasourceDatasetFacet], ['documentation', isDocumentationDatasetFacet], ['hierarchy', isHierarchyDatasetFacet], ['lifecycleStateChange', isLifecycleStateChangeDatasetFacet], ['lineage', isLineageDatasetFacet], ['ownership', isOwnershipDatasetFacet], ['schema', isSchemaDatasetFacet], ['storage', isStorageDatasetFacet], ['symlinks', isSymlinksDatasetFacet], ['tags', isTagsDatasetFacet]]),
  input: new Map([['subset', isInputSubsetInputDatasetFacet], ['dataQualityAssertions', isDataQualityAssertionsDatasetFacet], ['dataQualityMetrics', isDataQualityMetricsInputDatasetFacet], ['icebergScanReport', isIcebergScanReportInputDatasetFacet], ['inputStatistics', isInputStatisticsInputDatasetFacet]]),
  output: new Map([['subset', isOutputSubsetOutputDatasetFacet], ['icebergCommitReport', isIcebergCommitReportOutputDatasetFacet], ['outputStatistics', isOutputStatisticsOutputDatasetFacet]]),
};
