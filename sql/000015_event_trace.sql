-- The span of the command that an event comes from (W3C traceparent), so that its trace goes on to the webhooks; null unless
-- traces are on and this one is kept. Earlier versions know nothing of the column and leave it null.

-- Adding it is instant, but has to wait for who reads the table (a dump, say), and everybody else behind it: no longer than this.
set local lock_timeout = '3s';
alter table events add column trace_parent text;
