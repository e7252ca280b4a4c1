venv:
	python3 bootstrap --level test
