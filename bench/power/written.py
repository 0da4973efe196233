"""Four functions in ordinary style, subjects of the study: a shop, a calendar, a payslip and rights to a page."""

from __future__ import annotations

from typing import Any

from bench.power.shapes import Category, Day, Employee, Item, Order, Request


def price_of(order: Order) -> dict[str, Any]:
    """Return what an order costs, in cents, or why it is refused."""
    if not order.items:
        return {"refused": "empty"}
    goods = 0
    for item in order.items:
        goods += item.price * item.quantity - rebate_of(item)
    if order.coupon == "TEN" and goods >= 2000:
        goods -= goods // 10
    elif order.coupon == "HALF" and order.member_years >= 5:
        goods -= min(goods // 2, 5000)
    shipping = shipping_of(order, goods)
    tax = 0 if order.country in ("US", "CH") else (goods + shipping) * (7 if all_food(order) else 19) // 100
    total = goods + shipping + tax
    if order.country == "CH" and total > 100_000:
        return {"refused": "customs"}
    return {"goods": goods, "shipping": shipping, "tax": tax, "points": points_of(order, total)}


def rebate_of(item: Item) -> int:
    if item.kind == "book" or item.quantity < 3:
        return 0
    percent = 5 if item.quantity < 10 else 12
    return item.price * item.quantity * percent // 100


def shipping_of(order: Order, goods: int) -> int:
    if order.coupon == "SHIP" and not order.express:
        return 0
    base = {"DE": 490, "FR": 790, "CH": 1290}.get(order.country, 2490)
    if goods > 5000 and order.country != "US":
        base = 0
    pieces = sum(item.quantity for item in order.items)
    if pieces > 20:
        base += 150 * (pieces - 20)
    return base + 900 if order.express else base


def all_food(order: Order) -> bool:
    return all(item.kind == "food" for item in order.items)


def points_of(order: Order, total: int) -> int:
    if order.member_years == 0:
        return 0
    points = total // 100
    if order.member_years > 10:
        points *= 2
    return min(points, 500)


def plan_of(day: Day) -> dict[str, Any]:
    """Return conflicts, free gaps and load of the rooms of a day."""
    opens, closes = day["opens"], day["closes"]
    if closes <= opens:
        return {"closed": True}
    rooms: dict[str, list[tuple[int, int, bool]]] = {}
    outside = 0
    for meeting in day["meetings"]:
        start = meeting["start"]
        end = start + meeting["minutes"]
        if start < opens or end > closes:
            outside += 1
            continue
        rooms.setdefault(meeting["room"], []).append((start, end, meeting.get("optional", False)))
    conflicts, gaps = [], []
    for room, taken in sorted(rooms.items()):
        taken.sort()
        free = opens
        for number, (start, end, optional) in enumerate(taken):
            if start - free >= 15:
                gaps.append((room, free, start))
            if number and start < taken[number - 1][1] and not (optional and taken[number - 1][2]):
                conflicts.append((room, start))
            free = max(free, end)
        if closes - free >= 15:
            gaps.append((room, free, closes))
    busy = {
        room: sum(end - start for start, end, _ in taken) * 100 // (closes - opens) for room, taken in rooms.items()
    }
    return {"outside": outside, "conflicts": conflicts, "gaps": gaps, "busy": sorted(busy.items())}


def payslip_of(employee: Employee) -> dict[str, int]:
    """Return the parts of a payslip, in cents."""
    extra = overtime_of(employee)
    gross = employee.gross + extra + sum(employee.bonuses)
    free = 110_000 + 35_000 * min(employee.children, 4)
    if employee.married:
        free *= 2
    tax = tax_of(gross - free)
    if employee.category is Category.TRAINEE and gross < 100_000:
        tax = 0
    insured = min(gross, 500_000)
    insurance = insured * 20 // 100
    if employee.children == 0 and employee.category is not Category.TRAINEE:
        insurance += insured // 200
    church = 0
    if employee.church != "none":
        church = tax * (8 if employee.church == "south" else 9) // 100
    return {"gross": gross, "extra": extra, "tax": tax, "insurance": insurance, "church": church}


def overtime_of(employee: Employee) -> int:
    usual = 150 if employee.category is Category.TRAINEE else 160
    if employee.hours <= usual or employee.category is Category.CLERK:
        return 0
    hourly = employee.gross // usual
    more = employee.hours - usual
    if more > 40:
        return int(40 * hourly * 1.25 + (more - 40) * hourly * 1.5)
    return int(more * hourly * 1.25)


def tax_of(income: int) -> int:
    tax = 0
    for bound, percent in ((600_000, 42), (250_000, 30), (0, 14)):
        if income > bound:
            tax += (income - bound) * percent // 100
            income = bound
    return tax


def decision_of(request: Request) -> str:
    """Return whether a user may do something with a page, and why."""
    user, page, action = request.user, request.page, request.action
    if user.suspended and not (action == "read" and page.visibility == "public"):
        return "no: suspended"
    if user.role == "admin" and "staff" in user.groups:
        return "yes: admin"
    if (page.rating == "adult" and user.age < 18) or (page.rating == "teen" and user.age < 13):
        return "no: age"
    if page.visibility == "private" and not page.owned:
        return "no: private"
    if page.visibility == "internal" and not user.groups & {"staff", "press"}:
        return "no: internal"
    if action == "read":
        return "yes: read"
    if page.locked:
        return "no: locked"
    if action == "comment":
        if user.role == "guest":
            return "no: guest"
        return "later: night" if request.hour < 6 or request.hour >= 22 else "yes: comment"
    if user.role == "editor" or (page.owned and user.role != "guest"):
        if action == "delete" and page.title.startswith("keep"):
            return "no: kept"
        return f"yes: {action}" + (" (beta)" if "beta" in user.groups else "")
    return "no: rights"
