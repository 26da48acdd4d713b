"""Original bitter memes with kind reappraisals, and what three editors made of them."""
