-- What filters of lists need (docs/rules/requests.md, "Lists").

-- Production tasks by id: their key begins with the order.
create index manufacturing_order_tasks_by_id on manufacturing_order_tasks (tenant_id, id);
