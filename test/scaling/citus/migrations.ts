/**
 * A migration on a distributed schema that has tenants, one of which writes meanwhile. The migration belongs to this test, and has
 * everything that a migration may contain.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { customerEndpoints } from '../../../lib/domain/partners/endpoints.ts'
import { migrate } from '../../../lib/platform/postgres/migrate.ts'
import { commandBench } from '../../support/command-context.ts'
import { eventually } from '../../support/eventually.ts'
import { type Cluster, inSchema, must, say } from './cluster.ts'

const SCHEMA = 'millrace_migrated'
const SQL = fileURLToPath(new URL('../../../sql/', import.meta.url))

const thrownAway = `
-- A table in periods, which lie where the schema lies; one that looks as if it ended here;
create table visits (
  tenant_id bigint not null,
  customer_id bigint not null,
  at timestamptz not null default now(),
  note text not null default ';'
) partition by range (at);
create table visits_past (like visits including defaults);
create table visits_rest partition of visits default;
alter table visits attach partition visits_past for values from (minvalue) to ('2020-01-01 00:00+00');
create index visits_by_customer on visits (tenant_id, customer_id);
alter table visits_rest alter column tenant_id set (n_distinct = 20);
alter table visits_rest set (autovacuum_vacuum_insert_scale_factor = 0.05);

alter table customers add column visited boolean not null default false;
create index customers_visited on customers (tenant_id, visited) where visited;

create function visits_of(of_tenant bigint) returns bigint language sql stable
  return (select count(*) from visits where tenant_id = of_tenant);
create function all_customers(of_tenant bigint) returns bigint language sql stable as $$
  select count(*) from customers where tenant_id = of_tenant
$$;
create function note_visit() returns trigger language plpgsql as $$
begin
  insert into visits (tenant_id, customer_id, at) select tenant_id, id, now() from added;
  return null;
end $$;
create trigger note_visit after insert on customers
referencing new table as added for each statement execute function note_visit();

-- What is there comes in, and an old one into its period.
with known as materialized (
  select tenant_id, id from customers
)
insert into visits (tenant_id, customer_id, at, note) select tenant_id, id, '2019-01-01 00:00+00', 'before' from known;
update customers set visited = true;
`

export async function migrations(cluster: Cluster): Promise<void> {
  const address = await cluster.freshSchema(SCHEMA)
  const folder = await mkdtemp(join(tmpdir(), 'millrace-sql-'))
  try {
    await cp(SQL, folder, { recursive: true })
    await migrate(address, { folder })
    const bench = await commandBench(address)
    const tenant = await bench.tenant()
    const other = await bench.tenant()
    // Repeats as a caller does after a 503: a unit of work may have to wait for a migration of several tables.
    let repeated = 0
    const write = (title: string) => {
      repeated--
      return eventually(() => {
        repeated++
        return tenant.done(customerEndpoints.create, { title })
      })
    }
    await write('before')

    let [isDone, written] = [false, 1]
    const writing = (async () => {
      for (; !isDone; written++) await write(`beside ${written}`)
    })()
    try {
      await writeFile(join(folder, '999998_thrown_away.sql'), thrownAway)
      await migrate(address, { folder })
    } finally {
      isDone = true
      await writing
    }
    say(`${written} customers written by then, ${repeated} of them not at once`)
    await write('after')
    await proveThrownAway(address, tenant.id, written + 1)
    must((await nodesOf(cluster)) === 1, 'tables and periods of it lie where the schema lies')

    const node = await cluster.nodeOf(SCHEMA)
    await cluster.move(SCHEMA, cluster.nodes.find(each => each !== node) ?? '', 'block_writes')
    await write('moved')
    await other.done(customerEndpoints.create, { title: 'moved' })
    await proveThrownAway(address, tenant.id, written + 2)

    await writeFile(join(folder, '999999_counts.sql'), `create table late (id bigint default nextval('ids'));`)
    const refused = await migrate(address, { folder }).then(
      () => null,
      (error: Error) => String((error.cause as Error | undefined)?.message),
    )
    must(
      /late\.id must not count by default/.test(refused ?? ''),
      `a column that counts by default is refused: ${refused}`,
    )
    await write('after the refused one')
    await bench.close()
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function proveThrownAway(address: string, tenantId: string, customers: number): Promise<void> {
  const { rows } = await inSchema(address, client =>
    client.query<Record<string, number>>(
      `select (select count(*)::int from customers where tenant_id = $1) as made, (select count(*)::int from visits where tenant_id = $1) as visits,
         visits_of(tenant_id)::int as bound, all_customers(tenant_id)::int as text from tenants where tenant_id = $1`,
      [tenantId],
    ),
  )
  const seen = JSON.stringify(rows[0])
  const all = { made: customers, visits: customers, bound: customers, text: customers }
  must(seen === JSON.stringify(all), `table, periods, trigger and functions of a thrown-away migration: ${seen}`)
}

async function nodesOf({ query }: Cluster): Promise<number> {
  const [row] = await query<{ nodes: number }>(
    `select count(distinct p.nodeport)::int as nodes
     from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid join pg_dist_shard_placement p using (shardid)
     where c.relnamespace = '${SCHEMA}'::regnamespace`,
  )
  return row?.nodes ?? 0
}
