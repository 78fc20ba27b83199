import { z } from 'zod';
import { type EventEnvelope, events } from './events.ts';

/** Returns the workspaces that the data of an event names in the fields of its schema. */
export function workspacesOfData({ type, data }: Pick<EventEnvelope, 'type' | 'data'>): string[] {
  const named = workspacesIn(events[type].data, data);
  return ownTypes.has(type) ? [...named, (data as { id: string }).id] : named;
}

/** Their data is the workspace itself. */
const ownTypes = new Set<string>(['workspace.created', 'workspace.updated', 'workspace.deleted']);

function workspacesIn(schema: z.core.$ZodType, value: unknown): string[] {
  // First, because most values are no objects, and instanceof is slow for Zod's classes.
  if (typeof value !== 'object' || value === null) return [];
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item) => workspacesIn(schema.element, item));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return workspacesIn(schema.unwrap(), value);
  if (schema instanceof z.ZodDefault) return workspacesIn(schema.unwrap(), value);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(value).flatMap(([field, found]) => {
    const fieldSchema = schema.shape[field];
    if (!fieldSchema) return [];
    return field === 'workspace_id' && typeof found === 'string' ? [found] : workspacesIn(fieldSchema, found);
  });
}
